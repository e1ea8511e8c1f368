#include "nearest.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace diffie::cli {
namespace {

// Optimal string alignment, over rows of the table: this one, the one before and the one before
// that.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_before, before, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_before = std::exchange(before, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t kMaxWord = 64;
  if (word.size() > kMaxWord) return "";
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string found;
  for (const std::string& name : names) {
    const std::size_t apart = distance(word, name);
    if (apart >= best) continue;
    best = apart;
    found = name;
  }
  return found;
}

}  // namespace diffie::cli
