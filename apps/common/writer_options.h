// Which formats an option of the writers is for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diffie/output.h"

namespace diffie::cli {

struct UnusedOption {
  std::string name;     // as in WriterOptions
  std::string formats;  // that it is for, in words
};

// The first option that is set though the format has no use for it.
std::optional<UnusedOption> unused_option(const WriterOptions& options, std::string_view format);

}  // namespace diffie::cli
