#include "model_dir/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/printable.h"
#include "diffie/error.h"

namespace diffie::model_dir {

std::int32_t count_vocabulary(std::string_view vocab_txt, std::string_view where) {
  constexpr std::size_t kMaxPieces = 1'000'000;
  std::unordered_set<std::string_view> pieces;
  while (!vocab_txt.empty()) {
    std::string_view piece = vocab_txt.substr(0, vocab_txt.find('\n'));
    vocab_txt.remove_prefix(std::min(vocab_txt.size(), piece.size() + 1));
    if (piece.ends_with('\r')) piece.remove_suffix(1);
    if (piece.empty() || !pieces.insert(piece).second || pieces.size() > kMaxPieces) {
      throw Error(ErrorCode::kCorruptModel,
                  fmt::format("{}: line {}: '{}' is empty, there twice, or one too many", where,
                              pieces.size() + 1, base::printable(piece)));
    }
  }
  return static_cast<std::int32_t>(pieces.size());
}

}  // namespace diffie::model_dir
