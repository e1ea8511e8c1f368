#include "base/utf8.h"
#include "text/break_rules.h"
#include "text/sentence_breaker.h"

namespace diffie::text {
namespace {

class PlainSentenceBreaker : public SentenceBreaker {
 public:
  void find(std::string_view block, std::vector<std::size_t>& breaks) override {
    breaks.clear();
    enum class State { kText, kStop, kSpace } state = State::kText;
    for (std::size_t pos = 0; pos < block.size();) {
      const base::Decoded decoded = base::decode_utf8(block, pos);
      const char32_t c = decoded.code_point;
      if (state == State::kSpace && !base::is_unicode_space(c)) breaks.push_back(pos);
      if (is_stop(c)) {
        state = State::kStop;
      } else if (state != State::kText && base::is_unicode_space(c)) {
        state = State::kSpace;
      } else if (state == State::kStop && is_closer(c)) {
        // stays behind the stop
      } else {
        if (state == State::kStop && after_wide_stop(block, pos)) breaks.push_back(pos);
        state = State::kText;
      }
      pos += decoded.length;
    }
  }

 private:
  // Chinese and Japanese stops need no white space.
  static bool after_wide_stop(std::string_view block, std::size_t pos) {
    const std::string_view before = block.substr(0, pos);
    return before.ends_with("\u3002") || before.ends_with("\uFF01") || before.ends_with("\uFF1F");
  }
};

}  // namespace

std::unique_ptr<SentenceBreaker> make_sentence_breaker() {
  return std::make_unique<PlainSentenceBreaker>();
}

}  // namespace diffie::text
