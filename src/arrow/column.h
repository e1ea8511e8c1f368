// An Arrow array under construction, with its children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/c_data.h"

namespace diffie::arrow {

enum class Type { kUtf8, kInt32, kInt64, kFloat64, kList, kStruct };

// What every column has; the rest depends on its type.
class Column {
 public:
  Column(std::string name, Type type, std::vector<Column> children = {}, bool nullable = false);

  // One value each; a function is called on columns of its type only.
  void add_text(std::string_view text);  // made valid UTF-8
  void add_integer(std::int64_t value);
  void add_real(double value);
  void add_list();    // of all that the child has got since the last list
  void add_struct();  // of the last value of each child
  void add_null();    // utf8 and int32, where nullable

  Column& child(std::size_t index) { return children_[index]; }
  std::size_t length() const { return length_; }
  std::size_t text_bytes() const;  // of this column and its children

  using Metadata = std::vector<std::pair<std::string, std::string>>;
  void export_schema(ArrowSchema* out, const Metadata& metadata = {}) const;
  // What has been added moves to the array; the column is empty again.
  void export_array(ArrowArray* out);

 private:
  struct Buffers {
    std::vector<std::uint8_t> validity;  // of nullable columns
    std::vector<std::int32_t> offsets;   // of texts and lists: one more than values
    std::vector<std::int32_t> integers32;
    std::vector<std::int64_t> integers64;
    std::vector<double> reals;
    std::string text;
  };
  struct SchemaOwner;
  struct ArrayOwner;

  bool has_offsets() const { return type_ == Type::kUtf8 || type_ == Type::kList; }
  void add_validity(bool valid);
  void clear();

  std::string name_;
  Type type_;
  bool nullable_ = false;
  std::size_t length_ = 0;
  std::size_t nulls_ = 0;
  Buffers buffers_;
  std::vector<Column> children_;
};

}  // namespace diffie::arrow
