#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "diffie/error.h"
#include "diffie/text.h"
#include "files/read_file.h"
#include "text/text_encoder.h"
#include "text/vocabulary.h"

namespace diffie {
namespace {

constexpr std::uint32_t kNoWord = ~0u;

void append_special(Encoding& out, std::int32_t id) {
  out.ids.push_back(id);
  out.offsets.push_back({0, 0});
  out.words.push_back(kNoWord);
}

}  // namespace

class Tokenizer::Impl {
 public:
  Impl(std::string_view vocab_txt, std::string_view where) : vocabulary(vocab_txt, where) {}
  text::Vocabulary vocabulary;
};

Tokenizer::Tokenizer(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Tokenizer Tokenizer::from_vocab_file(const std::filesystem::path& path) {
  // A hint only: pipes have no size.
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (!unknown) text::check_vocabulary_size(size, path.string());
  const std::string text = files::read_text_file(path, text::kMaxVocabularyBytes);
  return Tokenizer(std::make_unique<const Impl>(text, path.string()));
}

Tokenizer Tokenizer::from_vocab(std::string_view vocab_txt) {
  return Tokenizer(std::make_unique<const Impl>(vocab_txt, "vocabulary"));
}

Encoding Tokenizer::encode(std::string_view text, bool add_special_tokens) const {
  Encoding out;
  const std::size_t guess = text.size() / 4 + 8;  // English has about 4.5 bytes a piece
  out.ids.reserve(guess);
  out.offsets.reserve(guess);
  out.words.reserve(guess);
  if (add_special_tokens) append_special(out, cls_id());
  text::encode_text(impl_->vocabulary, text, out);
  if (add_special_tokens) append_special(out, sep_id());
  return out;
}

std::size_t Tokenizer::vocab_size() const noexcept { return impl_->vocabulary.size(); }

std::string_view Tokenizer::piece(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= vocab_size()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("piece {}: the vocabulary has 0 to {}", id, vocab_size() - 1));
  }
  return impl_->vocabulary.piece(static_cast<std::size_t>(id));
}

std::int32_t Tokenizer::cls_id() const noexcept { return impl_->vocabulary.cls_id(); }
std::int32_t Tokenizer::sep_id() const noexcept { return impl_->vocabulary.sep_id(); }
std::int32_t Tokenizer::unk_id() const noexcept { return impl_->vocabulary.unk_id(); }

}  // namespace diffie
