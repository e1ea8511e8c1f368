// What the names on the command line stand for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics.h"

namespace diffie::cli {

enum class InputKind { kText, kJsonl, kParquet, kArrow };

// By the end of its name, .gz and .zst aside; none: not a name that we know.
std::optional<InputKind> kind_of_name(std::string_view path);

// A name such as t.parquet.gz: that kind is packed within and is never packed as a whole.
bool is_packed_table(std::string_view path);

// Files as they are named; folders become the files in and below them with a name that we know (of
// `only`, where it is given), sorted, without hidden ones; patterns with *, ?, [...] and ** (any
// folders) become what they match, sorted. Folders and patterns that give nothing are reported, and
// what in them cannot be looked at. Links that lead nowhere are files, which cannot be opened.
std::vector<std::string> expand_inputs(const std::vector<std::string>& names,
                                       std::optional<InputKind> only, Diagnostics& diagnostics);

}  // namespace diffie::cli
