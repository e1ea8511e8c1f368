// A sentence's words as the engine has them, and tables of cases about them.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/text.h"
#include "extract/selector.h"
#include "text/lowercase.h"
#include "text/sentence.h"
#include "text/shipped_tokenizer.h"

namespace diffie::reshape {

struct Words {
  explicit Words(std::string_view sentence) : text(sentence) {
    for (const text::Word& word :
         text::tokenize_sentence(shipped_tokenizer(), text, text::WordMode::kRaw).words) {
      bytes.push_back(word.bytes);
      lower.push_back(text::lowercase(
          std::string_view(text).substr(word.bytes.begin, word.bytes.end - word.bytes.begin)));
    }
  }

  // The words of the first place where the slot stands; where it does not stand as a whole, its
  // parts one after the other ("wrote together"). "[is]": a word that is implied.
  std::vector<std::uint32_t> find(std::string_view slot) const {
    if (slot.starts_with("[")) return {static_cast<std::uint32_t>(bytes.size())};
    std::vector<std::uint32_t> found;
    std::size_t from = 0;
    while (!slot.empty()) {
      std::string_view part = slot;
      std::size_t place = find_whole(part, from);
      while (place == std::string::npos && part.find(' ') != std::string_view::npos) {
        part = part.substr(0, part.rfind(' '));
        place = find_whole(part, from);
      }
      EXPECT_NE(place, std::string::npos) << slot << " in " << text;
      if (place == std::string::npos) return {};
      for (std::uint32_t word = 0; word < bytes.size(); ++word) {
        if (bytes[word].begin >= place && bytes[word].end <= place + part.size())
          found.push_back(word);
      }
      from = place + part.size();
      slot.remove_prefix(std::min(slot.size(), part.size() + 1));
    }
    return found;
  }

  // Where the text has it, not inside a word ("on" of "Bonn").
  std::size_t find_whole(std::string_view part, std::size_t from) const {
    for (const Span& word : bytes) {
      if (word.begin >= from && text.compare(word.begin, part.size(), part) == 0) return word.begin;
    }
    return std::string::npos;
  }

  extract::Triple triple(std::string_view subject, std::string_view relation,
                         std::string_view object) const {
    return {{find(subject), find(relation), find(object)}};
  }

  // As an extraction quotes them, without the implied ones.
  std::string quote(const std::vector<std::uint32_t>& words) const {
    std::string quoted;
    for (std::size_t index = 0; index < words.size() && words[index] < bytes.size(); ++index) {
      const bool follows = index > 0 && words[index] == words[index - 1] + 1;
      const std::size_t begin = follows ? bytes[words[index - 1]].end : bytes[words[index]].begin;
      if (index > 0 && !follows) quoted += ' ';
      quoted += text.substr(begin, bytes[words[index]].end - begin);
    }
    return quoted;
  }

  std::string text;
  std::vector<Span> bytes;
  std::vector<std::string> lower;
};

// The rows of a table in this folder, without the names of its columns.
inline std::vector<std::vector<std::string>> read_cases(const std::string& name,
                                                        std::size_t columns) {
  std::ifstream file(DIFFIE_SOURCE_DIR "/tests/reshape/" + name);
  std::vector<std::vector<std::string>> cases;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    auto& cells = cases.emplace_back();
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
    EXPECT_EQ(cells.size(), columns) << line;
    if (cells.size() != columns) cases.pop_back();
  }
  return cases;
}

// Sentences of all tables, to try properties on.
inline std::vector<std::string> all_sentences() {
  std::vector<std::string> sentences;
  for (const auto& cells : read_cases("circumstances.tsv", 2)) sentences.push_back(cells[0]);
  for (const auto& cells : read_cases("coordination.tsv", 5)) sentences.push_back(cells[0]);
  for (const auto& cells : read_cases("contained.tsv", 8)) sentences.push_back(cells[0]);
  return sentences;
}

}  // namespace diffie::reshape
