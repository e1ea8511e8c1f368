// Tab-separated tables, with or without CSV quoting.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::data {

enum class Quoting {
  kNone,  // a quote is a character like any other
  kCsv,   // a cell that begins with '"' ends at the next single one; inside, '""' is one quote
};

// Walks over the records of a table; empty lines are passed over. Borrows the text.
class TableReader {
 public:
  TableReader(std::string_view text, std::string name, Quoting quoting)
      : text_(text), name_(std::move(name)), quoting_(quoting) {}

  // The next record's cells, or nullopt at the end. Throws kBadInput on a quote left open and on
  // anything but a tab or line end after a closing quote.
  std::optional<std::vector<std::string>> next();

  std::size_t line() const { return record_line_; }  // first line of the last record, from 1

 private:
  std::string quoted_cell();
  std::string plain_cell();
  bool at_line_end() const;
  void pass_line_end();

  std::string_view text_;
  std::string name_;
  Quoting quoting_;
  std::size_t line_ = 1;
  std::size_t record_line_ = 0;
};

}  // namespace diffie::data
