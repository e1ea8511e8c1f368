#include "text/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "base/utf8.h"
#include "diffie/error.h"

namespace diffie::text {
namespace {

constexpr std::size_t kMaxPieceBytes = 512;  // words of more than 100 characters are not looked up

}  // namespace

void check_vocabulary_size(std::uintmax_t bytes, std::string_view where) {
  if (bytes <= kMaxVocabularyBytes) return;
  throw Error(ErrorCode::kCorruptModel,
              fmt::format("{}: vocabulary of {} bytes, at most {} allowed", where, bytes,
                          kMaxVocabularyBytes));
}

Vocabulary::Vocabulary(std::string_view vocab_txt, std::string_view where) {
  check_vocabulary_size(vocab_txt.size(), where);
  text_ = vocab_txt;
  split_lines(where);
  trie_ = std::make_unique<PieceTrie>(pieces_);
  continuation_ = trie_->find("##");
  find_specials(where);
}

void Vocabulary::split_lines(std::string_view where) {
  std::string_view rest = text_;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    pieces_.push_back(line);
    if (line.empty() || base::find_invalid_utf8(line)) {
      throw Error(ErrorCode::kCorruptModel,
                  fmt::format("{}: line {} is {}, expected a piece", where, pieces_.size(),
                              line.empty() ? "empty" : "no valid UTF-8"));
    }
    if (line.size() > kMaxPieceBytes) {
      throw Error(ErrorCode::kCorruptModel,
                  fmt::format("{}: line {} has {} bytes, at most {} are allowed", where,
                              pieces_.size(), line.size(), kMaxPieceBytes));
    }
  }
  std::vector<std::string_view> sorted = pieces_;
  std::sort(sorted.begin(), sorted.end());
  const auto twin = std::adjacent_find(sorted.begin(), sorted.end());
  if (twin != sorted.end()) {
    throw Error(ErrorCode::kCorruptModel,
                fmt::format("{}: piece '{}' stands there twice", where, base::printable(*twin)));
  }
}

void Vocabulary::find_specials(std::string_view where) {
  const auto id_of = [&](std::string_view text) {
    const std::int32_t node = trie_->find(text);
    return node == PieceTrie::kNone ? PieceTrie::kNone : trie_->piece(node);
  };
  for (const std::string_view text : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
    const std::int32_t id = id_of(text);
    if (id != PieceTrie::kNone) specials_.push_back({text, id});
  }
  const auto required = [&](std::string_view text) {
    const std::int32_t id = id_of(text);
    if (id == PieceTrie::kNone) {
      throw Error(ErrorCode::kCorruptModel,
                  fmt::format("{}: {} pieces and none is {}", where, pieces_.size(), text));
    }
    return id;
  };
  cls_id_ = required("[CLS]");
  sep_id_ = required("[SEP]");
  unk_id_ = required("[UNK]");
}

}  // namespace diffie::text
