#include "lab/data/conllu.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/utf8.h"
#include "diffie/error.h"
#include "files/read_file.h"
#include "text/white_space.h"

namespace diffie::data {
namespace {

using Cells = std::vector<std::string_view>;

std::optional<std::size_t> number_of(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The two numbers of "3-4" or "8.1".
std::optional<std::pair<std::size_t, std::size_t>> numbers_of(std::string_view text,
                                                              char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const auto first = number_of(text.substr(0, at));
  const auto second = number_of(text.substr(at + 1));
  if (!first || !second) return std::nullopt;
  return std::pair{*first, *second};
}

// Reads line by line; a sentence is complete at an empty line or the end of the text.
class ConlluReader {
 public:
  explicit ConlluReader(const std::string& name) : name_(name) {}

  void line(std::string_view text) {
    ++line_;
    if (const auto bad = base::find_invalid_utf8(text)) {
      fail(line_, fmt::format("byte {} is not UTF-8", *bad + 1));
    }
    if (text.empty()) return end_sentence();
    if (text.starts_with('#')) return comment(text);
    const Cells cells = text::split_at(text, '\t');
    if (cells.size() != 10) fail(line_, fmt::format("{} columns, wanted 10", cells.size()));
    if (const auto range = numbers_of(cells[0], '-')) return multiword(*range);
    if (const auto empty = numbers_of(cells[0], '.')) return empty_node(*empty);
    word(cells);
  }

  std::vector<TreeSentence> finish() {
    end_sentence();
    return std::move(sentences_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw Error(ErrorCode::kBadInput, fmt::format("{}:{}: {}", name_, line, what));
  }

  void comment(std::string_view text) {
    if (!current_.words.empty()) fail(line_, "a comment after the first word of a sentence");
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return;
    const std::string_view key = text::strip(text.substr(1, equals - 1));
    const std::string_view value = text::strip(text.substr(equals + 1));
    if (key == "sent_id") current_.id = value;
    if (key == "text") current_.text = value;
  }

  // Its words follow, each on a line of its own; what it looks like is in `# text`.
  void multiword(std::pair<std::size_t, std::size_t> range) {
    const std::size_t next = current_.words.size() + 1;
    if (range.first != next || range.second < range.first || next <= multiword_end_) {
      fail(line_,
           fmt::format("words {}-{} where word {} is next", range.first, range.second, next));
    }
    multiword_end_ = range.second;
  }

  void empty_node(std::pair<std::size_t, std::size_t> id) {
    const std::size_t after = current_.words.size();
    const std::size_t next = empty_nodes_.size() == after + 1 ? empty_nodes_[after] + 1 : 1;
    if (id.first != after || id.second != next) {
      fail(line_, fmt::format("empty node {}.{}, wanted {}.{}", id.first, id.second, after, next));
    }
    empty_nodes_.resize(after + 1);
    empty_nodes_[after] = next;
  }

  void word(const Cells& cells) {
    const std::size_t next = current_.words.size() + 1;
    if (number_of(cells[0]) != next) {
      fail(line_, fmt::format("word '{}', wanted {}", cells[0], next));
    }
    if (text::split_words(cells[1]).size() != 1) {
      fail(line_, fmt::format("the form '{}' is not one word", cells[1]));
    }
    const auto head = number_of(cells[6]);
    if (!head) fail(line_, fmt::format("head '{}' is no number", cells[6]));
    if (current_.words.empty()) first_line_ = line_;
    lines_.push_back(line_);
    current_.words.push_back({std::string(cells[1]), std::string(cells[2]), std::string(cells[3]),
                              std::string(cells[4]), std::string(cells[5]), *head,
                              std::string(cells[7]), enhanced(cells[8])});
  }

  std::vector<EnhancedHead> enhanced(std::string_view cell) const {
    std::vector<EnhancedHead> heads;
    if (cell == "_") return heads;
    for (const std::string_view edge : text::split_at(cell, '|')) {
      const std::size_t colon = edge.find(':');
      const std::string_view id = edge.substr(0, colon);
      const auto empty = numbers_of(id, '.');
      const auto head = empty ? std::optional(empty->first) : number_of(id);
      if (!head || colon == std::string_view::npos || colon + 1 == edge.size()) {
        fail(line_, fmt::format("enhanced head '{}', wanted as in 4:nsubj", edge));
      }
      heads.push_back({*head, empty ? empty->second : 0, std::string(edge.substr(colon + 1))});
    }
    return heads;
  }

  void end_sentence() {
    if (!current_.words.empty()) {
      check_tree();
      sentences_.push_back(std::move(current_));
    } else if (!current_.id.empty() || !current_.text.empty()) {
      fail(line_, "a sentence without words");
    }
    current_ = {};
    lines_.clear();
    empty_nodes_.clear();
    multiword_end_ = 0;
  }

  void check_tree() const {
    const std::size_t size = current_.words.size();
    if (multiword_end_ > size) {
      fail(line_, fmt::format("{} words, wanted {}", size, multiword_end_));
    }
    std::size_t roots = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const TreeWord& word = current_.words[i];
      roots += word.head == 0 ? 1 : 0;
      if (word.head > size) fail(lines_[i], fmt::format("head {} of {}", word.head, size));
      for (const EnhancedHead& edge : word.enhanced) check_edge(edge, lines_[i]);
      std::size_t ancestor = word.head;
      for (std::size_t steps = 0; ancestor != 0 && ancestor <= size && steps <= size; ++steps) {
        ancestor = current_.words[ancestor - 1].head;
      }
      if (ancestor != 0 && ancestor <= size) fail(lines_[i], "the heads run in a circle");
    }
    if (roots != 1) fail(first_line_, fmt::format("a sentence with {} roots, wanted 1", roots));
  }

  void check_edge(const EnhancedHead& edge, std::size_t line) const {
    const bool is_node = edge.empty == 0 ||
                         (edge.head < empty_nodes_.size() && edge.empty <= empty_nodes_[edge.head]);
    if (edge.head > current_.words.size() || !is_node) {
      fail(line, fmt::format("enhanced head {}.{} is not there", edge.head, edge.empty));
    }
  }

  const std::string& name_;
  std::size_t line_ = 0;
  std::vector<TreeSentence> sentences_;
  // Of the sentence being read.
  TreeSentence current_;
  std::size_t first_line_ = 0;
  std::vector<std::size_t> lines_;        // of its words
  std::vector<std::size_t> empty_nodes_;  // how many follow word n
  std::size_t multiword_end_ = 0;
};

}  // namespace

std::string TreeSentence::spelled() const {
  std::string out;
  for (const TreeWord& word : words) {
    if (!out.empty()) out += ' ';
    out += word.form;
  }
  return out;
}

std::vector<TreeSentence> parse_conllu(std::string_view text, const std::string& name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  ConlluReader reader(name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    reader.line(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

std::vector<TreeSentence> read_conllu(const std::filesystem::path& path) {
  return parse_conllu(files::read_text_file(path), path.string());
}

}  // namespace diffie::data
