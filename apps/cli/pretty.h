// Extractions for people: aligned, coloured on a terminal.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "diffie/output.h"

namespace diffie::cli {

// The sentence on one line, then its triples, best first:
//   0.71  subject  |  relation  |  object  [not]  [possible]  [according to X]  [time: in 1843]
// with the marks that its factuality and its circumstances ask for.
// `width`: columns of the terminal, 0 when piped (nothing is cut or wrapped then).
void append_pretty(std::string& out, std::string_view sentence, const SentenceResult& result,
                   bool colour, std::size_t width);

struct PrettyOptions {
  bool colour = false;
  std::size_t width = 0;        // as above
  bool name_documents = false;  // "==> a.txt <==" before what each holds
};

// The same for a whole run.
std::unique_ptr<Writer> make_pretty_writer(const PrettyOptions& options, OutputFiles& files);

}  // namespace diffie::cli
