#include "arrow/column.h"

#include <gtest/gtest.h>

#include <string>

#include "arrow/table.h"
#include "expect_error.h"

namespace diffie::arrow {
namespace {

template <typename Value>
const Value* buffer(const ArrowArray& array, int index) {
  return static_cast<const Value*>(array.buffers[index]);
}

TEST(Column, MarksNullsByBit) {
  Column column("who", Type::kUtf8, {}, true);
  for (int row = 0; row < 9; ++row) {
    if (row % 4 == 1) {
      column.add_null();
    } else {
      column.add_text(std::string(static_cast<std::size_t>(row), 'x'));
    }
  }
  ArrowArray array;
  column.export_array(&array);
  EXPECT_EQ(array.length, 9);
  EXPECT_EQ(array.null_count, 2);
  ASSERT_EQ(array.n_buffers, 3);
  EXPECT_EQ(buffer<std::uint8_t>(array, 0)[0], 0b11011101);
  EXPECT_EQ(buffer<std::uint8_t>(array, 0)[1], 0b1);
  const auto* offsets = buffer<std::int32_t>(array, 1);
  EXPECT_EQ(offsets[1], offsets[2]) << "a null has no text";
  EXPECT_EQ(offsets[9] - offsets[8], 8);
  array.release(&array);
  EXPECT_EQ(array.release, nullptr);
}

TEST(Column, HasNoValidityWhereNothingIsNull) {
  Column column("n", Type::kInt32, {}, true);
  column.add_integer(7);
  ArrowArray array;
  column.export_array(&array);
  EXPECT_EQ(array.buffers[0], nullptr);
  EXPECT_EQ(buffer<std::int32_t>(array, 1)[0], 7);
  array.release(&array);
}

TEST(Column, IsEmptyAfterExport) {
  Column list("list", Type::kList, {{"item", Type::kFloat64}});
  list.child(0).add_real(0.5);
  list.add_list();
  ArrowArray first;
  list.export_array(&first);
  EXPECT_EQ(list.length(), 0u);
  list.add_list();
  list.child(0).add_real(1);
  list.child(0).add_real(2);
  list.add_list();
  ArrowArray second;
  list.export_array(&second);
  ASSERT_EQ(second.length, 2);
  const auto* offsets = buffer<std::int32_t>(second, 1);
  EXPECT_EQ(offsets[0], 0);
  EXPECT_EQ(offsets[1], 0);
  EXPECT_EQ(offsets[2], 2);
  EXPECT_EQ(buffer<double>(*second.children[0], 1)[1], 2);
  EXPECT_EQ(buffer<double>(*first.children[0], 1)[0], 0.5);
  first.release(&first);
  second.release(&second);
}

// A consumer may take a child out and let go of the rest; the child stays whole.
TEST(Column, LetsAChildBeMovedOut) {
  Column pair("", Type::kStruct, {{"a", Type::kUtf8}, {"b", Type::kInt64}});
  pair.child(0).add_text("a text that is too long to stand in the string object itself");
  pair.child(1).add_integer(1);
  pair.add_struct();
  ArrowArray array;
  ArrowSchema schema;
  pair.export_schema(&schema);
  pair.export_array(&array);
  ArrowArray text = *array.children[0];
  array.children[0]->release = nullptr;
  ArrowSchema text_schema = *schema.children[0];
  schema.children[0]->release = nullptr;
  array.release(&array);
  schema.release(&schema);
  EXPECT_EQ(std::string(text_schema.name), "a");
  EXPECT_EQ(std::string(buffer<char>(text, 2), 6), "a text");
  text.release(&text);
  text_schema.release(&text_schema);
}

TEST(Column, WritesMetadataBehindLengths) {
  ArrowSchema schema;
  Column("", Type::kStruct).export_schema(&schema, {{"key", "value"}});
  const std::string expected("\1\0\0\0\3\0\0\0key\5\0\0\0value", 20);
  EXPECT_EQ(std::string(schema.metadata, expected.size()), expected);
  schema.release(&schema);
}

TEST(Column, MakesTextValid) {
  Column column("text", Type::kUtf8);
  column.add_text("a\xFFz");
  ArrowArray array;
  column.export_array(&array);
  EXPECT_EQ(std::string(buffer<char>(array, 2), 5), "a\uFFFDz");
  array.release(&array);
}

TEST(Table, RefusesMoreTextThanOffsetsHold) {
  check_room(kMaxTextBytes - 3, 1);
  EXPECT_ERROR(check_room(kMaxTextBytes - 2, 1), ErrorCode::kExhausted, "2 GiB");
  EXPECT_ERROR(check_room(0, ~std::size_t{0}), ErrorCode::kExhausted, "2 GiB");
  EXPECT_ERROR(sentence_number(std::size_t{1} << 31), ErrorCode::kExhausted, "sentences");
}

}  // namespace
}  // namespace diffie::arrow
