// A sentence's words and where the slots of a triple stand among them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "facts/factuality.h"
#include "text/lowercase.h"
#include "text/sentence.h"

namespace diffie::facts {

class Located {
 public:
  Located(const Tokenizer& tokenizer, std::string_view sentence) : text_(sentence) {
    for (const text::Word& word :
         text::tokenize_sentence(tokenizer, text_, text::WordMode::kRaw).words) {
      bytes_.push_back(word.bytes);
      lower_.push_back(lower_at(word.bytes));
    }
  }

  // Slots as text; "-" and what stands in brackets have no words in the sentence. The relation is
  // looked for first, then the others as near to it as they stand.
  Factuality factuality(const std::array<std::string, 3>& slots) const {
    const auto relation = find(slots[1], 0);
    const std::size_t near = relation.empty() ? 0 : relation.front();
    const auto subject = find(slots[0], near);
    const auto object = find(slots[2], near);
    return SentenceFacts(text_, bytes_, lower_).of({subject, relation, object});
  }

 private:
  std::string lower_at(Span bytes) const {
    return text::lowercase(std::string_view(text_).substr(bytes.begin, bytes.end - bytes.begin));
  }

  // The words of the occurrence that begins nearest to the word `near`; where the whole does not
  // occur, its words one by one in order ("did sign" of "did he sign").
  std::vector<std::uint32_t> find(const std::string& slot, std::size_t near) const {
    if (slot == "-" || slot.starts_with("[")) return {};
    std::vector<std::uint32_t> best;
    for (std::size_t place = text_.find(slot); place != std::string::npos;
         place = text_.find(slot, place + 1)) {
      const auto words = words_of({place, place + slot.size()});
      if (words.empty()) continue;
      if (best.empty() || distance(words.front(), near) < distance(best.front(), near))
        best = words;
    }
    if (best.empty()) best = one_by_one(slot);
    EXPECT_FALSE(best.empty()) << slot << " in " << text_;
    return best;
  }

  std::vector<std::uint32_t> one_by_one(const std::string& slot) const {
    std::vector<std::uint32_t> found;
    std::size_t next = 0;
    for (std::size_t begin = 0; begin < slot.size();) {
      const std::size_t end = std::min(slot.find(' ', begin), slot.size());
      const std::string word = text::lowercase(slot.substr(begin, end - begin));
      while (next < lower_.size() && lower_[next] != word && !lower_[next].starts_with(word + "n"))
        ++next;
      if (next == lower_.size()) return {};
      found.push_back(static_cast<std::uint32_t>(next++));
      begin = end + 1;
    }
    return found;
  }

  static std::size_t distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

  std::vector<std::uint32_t> words_of(Span bytes) const {
    std::vector<std::uint32_t> words;
    for (std::uint32_t word = 0; word < bytes_.size(); ++word) {
      const bool inside = bytes_[word].begin >= bytes.begin && bytes_[word].begin < bytes.end;
      if (inside && bytes_[word].end > bytes.end && !lower_[word].ends_with("t")) return {};
      if (inside) words.push_back(word);
    }
    if (!words.empty() && bytes_[words.front()].begin != bytes.begin) return {};
    return words;
  }

  std::string text_;
  std::vector<Span> bytes_;
  std::vector<std::string> lower_;
};

}  // namespace diffie::facts
