#include <algorithm>

#include "byte_source.h"
#include "document_source.h"

namespace diffie::cli {
namespace {

class TextSource : public DocumentSource {
 public:
  explicit TextSource(const std::string& path) : path_(path), bytes_(open_bytes(path)) {}

  bool next_document(DocumentId& document) override {
    if (begun_) return false;
    begun_ = true;
    document = {path_, path_};
    return true;
  }
  bool append_text(std::string& to) override { return append_block(*bytes_, to) > 0; }
  bool ready() const override { return bytes_->ready(); }
  std::uint64_t bytes_read() const override { return bytes_->bytes_read(); }

 private:
  std::string path_;
  std::unique_ptr<ByteSource> bytes_;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<DocumentSource> open_text(const std::string& path) {
  return std::make_unique<TextSource>(path);
}

void TextPieces::set(std::string text) {
  text_ = std::move(text);
  position_ = 0;
}

bool TextPieces::append_to(std::string& to) {
  constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
  if (position_ == text_.size()) return false;
  const std::size_t size = std::min(kPieceBytes, text_.size() - position_);
  to.append(text_, position_, size);
  position_ += size;
  return true;
}

}  // namespace diffie::cli
