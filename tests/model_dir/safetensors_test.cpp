#include "model_dir/safetensors.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>
#include <thread>

#include "expect_error.h"
#include "lab/models/safetensors_write.h"
#include "model_dir/safetensors_builder.h"
#include "temp_dir.h"

namespace diffie::model_dir {
namespace {

using test::SafetensorsBuilder;
using test::small_valid_safetensors;
constexpr auto kCorrupt = ErrorCode::kCorruptModel;

// Checks and forgets: the bytes live in an exact-size heap block, so a sanitizer sees one byte too
// far.
std::size_t count_tensors(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return SafetensorsFile::from_bytes(bytes, "file").tensors().size();
}

std::size_t count_tensors(const SafetensorsBuilder& file) { return count_tensors(file.bytes()); }

std::vector<std::byte> bytes_of(const TensorView& tensor) {
  std::vector<std::byte> bytes(tensor.bytes.size());
  tensor.bytes.copy_to(bytes);
  return bytes;
}

TEST(Safetensors, ReadsNamesShapesBytesAndMetadata) {
  SafetensorsBuilder builder = small_valid_safetensors();
  std::swap(builder.tensors[0], builder.tensors[2]);  // the header's order does not matter
  const std::string text = builder.bytes();
  const SafetensorsFile file = SafetensorsFile::from_bytes(std::as_bytes(std::span(text)), "file");
  ASSERT_EQ(file.tensors().size(), 3u);
  EXPECT_EQ(file.tensors()[0].name, "a");
  EXPECT_EQ(file.tensors()[2].name, "c");
  EXPECT_EQ(file.metadata().at("format"), "pt");
  const TensorView* b = file.find("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->dtype, DType::kF16);
  EXPECT_EQ(b->shape, (std::vector<std::uint64_t>{4}));
  EXPECT_EQ(b->num_elements(), 4u);
  EXPECT_EQ(std::to_integer<int>(bytes_of(*b)[0]), 24);
  EXPECT_EQ(file.find("absent"), nullptr);
  EXPECT_EQ(file.find("__metadata__"), nullptr);
}

TEST(Safetensors, ReadsEmptyFilesScalarsAndEmptyTensors) {
  EXPECT_EQ(count_tensors(SafetensorsBuilder{}), 0u);
  SafetensorsBuilder file;
  file.tensors = {
      {"empty", "F32", {0, 5}, {0, 0}}, {"scalar", "F32", {}, {0, 4}}, {"end", "I8", {0}, {4, 4}}};
  file.data = "1234";
  EXPECT_EQ(count_tensors(file), 3u);
}

TEST(Safetensors, RefusesFilesThatAreTooShort) {
  for (std::size_t size = 0; size < 8; ++size) {
    EXPECT_ERROR(count_tensors(std::string(size, '\0')), kCorrupt, "too short");
  }
  const std::string whole = small_valid_safetensors().bytes();
  for (std::size_t size = 8; size < whole.size(); ++size) {
    EXPECT_THROW(count_tensors(whole.substr(0, size)), Error) << size;
  }
  EXPECT_ERROR(count_tensors(whole + "x"), kCorrupt, "tensors end at 35 of 36 data bytes");
}

TEST(Safetensors, RefusesHeaderLengthsThatCannotBe) {
  SafetensorsBuilder file = small_valid_safetensors();
  file.header_length = 1 << 20;
  EXPECT_ERROR(count_tensors(file), kCorrupt, "header of 1048576 bytes in a file of");
  file.header_length = 10'000'001;
  EXPECT_ERROR(count_tensors(file), kCorrupt, "at most 10000000");
  file.header_length = std::numeric_limits<std::int64_t>::max();
  EXPECT_ERROR(count_tensors(file), kCorrupt, "at most 10000000");
  EXPECT_ERROR(count_tensors(std::string(16, '\xff')), kCorrupt, "18446744073709551615");
  file.header_length = 0;
  EXPECT_ERROR(count_tensors(file), kCorrupt, "not JSON");
}

TEST(Safetensors, RefusesHeadersOfAnotherForm) {
  SafetensorsBuilder file;
  for (const char* header : {"[]", "7", "null", R"({"a":7})", R"({"a":[]})", R"({"a":{}})",
                             R"({"__metadata__":[]})", R"({"__metadata__":{"a":1}})",
                             R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0],"more":1}})",
                             R"({"a":{"dtype":"F32","shape":[0]}})",
                             R"({"a":{"dtype":"F32","shape":0,"data_offsets":[0,0]}})",
                             R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,0]}})",
                             R"({"a":{"dtype":"F32","shape":[0.0],"data_offsets":[0,0]}})",
                             R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[0]}})",
                             R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0,0]}})",
                             R"({"a":{"dtype":1,"shape":[0],"data_offsets":[0,0]}})",
                             R"({"":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})"}) {
    file.header = header;
    EXPECT_ERROR(count_tensors(file), kCorrupt, "file: ");
  }
}

TEST(Safetensors, RefusesDepthAndDuplicates) {
  SafetensorsBuilder file;
  file.header = "{\"a\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}";
  EXPECT_ERROR(count_tensors(file), kCorrupt, "deeper");
  file = small_valid_safetensors();
  file.tensor("b").name = "a";
  EXPECT_ERROR(count_tensors(file), kCorrupt, "'a' appears twice");
  file = small_valid_safetensors();
  file.header = file.json();
  file.header.insert(file.header.find("\"shape\""), "\"dtype\":\"F32\",");
  EXPECT_ERROR(count_tensors(file), kCorrupt, "'dtype' appears twice");
}

TEST(Safetensors, RefusesUnknownTypesAndTypesOfAnotherSize) {
  for (const char* dtype : {"F64", "f32", "", "F32 ", "BOOL"}) {
    SafetensorsBuilder file = small_valid_safetensors();
    file.tensor("a").dtype = dtype;
    EXPECT_ERROR(count_tensors(file), kCorrupt, "a.dtype");
  }
  SafetensorsBuilder file = small_valid_safetensors();
  file.tensor("a").dtype = "BF16";
  EXPECT_ERROR(count_tensors(file), kCorrupt, "'a' holds 24 bytes, BF16 [2, 3] needs 12");
}

TEST(Safetensors, RefusesShapeWhoseProductWraps) {
  SafetensorsBuilder file = small_valid_safetensors();
  file.tensors.push_back({"wrap", "I8", {1ull << 32, 1ull << 32}, {35, 35}});  // 2^64, wraps to 0
  EXPECT_ERROR(count_tensors(file), kCorrupt, "'wrap' holds 0 bytes");
  file.tensors.back() = {"wrap", "F32", {1ull << 62}, {35, 35}};  // 2^64 bytes
  EXPECT_ERROR(count_tensors(file), kCorrupt, "'wrap' holds 0 bytes");
  file.tensors.back() = {"wrap", "F32", {0, 1ull << 32, 1ull << 32}, {35, 35}};
  EXPECT_ERROR(count_tensors(file), kCorrupt, "'wrap' holds 0 bytes");
  file.tensors.back() = {"wrap", "I8", std::vector<std::uint64_t>(9, 1), {35, 36}};
  EXPECT_ERROR(count_tensors(file), kCorrupt, "wrap.shape");
}

TEST(Safetensors, RefusesOffsetsThatOverlapLeaveHolesOrReachOut) {
  const auto with_offsets = [](std::uint64_t begin, std::uint64_t end) {
    SafetensorsBuilder file = small_valid_safetensors();
    file.tensor("b").data_offsets = {begin, end};
    return file;
  };
  EXPECT_ERROR(count_tensors(with_offsets(23, 31)), kCorrupt, "overlap");
  EXPECT_ERROR(count_tensors(with_offsets(0, 8)), kCorrupt, "overlap");
  EXPECT_ERROR(count_tensors(with_offsets(25, 33)), kCorrupt, "hole");
  EXPECT_ERROR(count_tensors(with_offsets(24, 31)), kCorrupt, "'b' holds 7 bytes");
  EXPECT_ERROR(count_tensors(with_offsets(32, 24)), kCorrupt, "'b' lies at 32..24");
  EXPECT_ERROR(count_tensors(with_offsets(28, 36)), kCorrupt, "'b' lies at 28..36 of 35");
  EXPECT_ERROR(count_tensors(with_offsets(~0ull - 7, ~0ull)), kCorrupt, "'b' lies at");
  EXPECT_ERROR(count_tensors(with_offsets(~0ull, 7)), kCorrupt, "'b' lies at");
}

TEST(Safetensors, RefusesNamesThatAreTooLong) {
  SafetensorsBuilder file = small_valid_safetensors();
  file.tensor("a").name = std::string(1024, 'n');
  EXPECT_EQ(count_tensors(file), 3u);
  file.tensor(std::string(1024, 'n')).name += 'n';
  EXPECT_ERROR(count_tensors(file), kCorrupt, "has 1025 bytes, wanted 1..1024");
}

TEST(Safetensors, TensorsAtOnePlaceAreInTheOrderOfTheirEnds) {
  SafetensorsBuilder file;
  file.tensors = {{"wide", "I8", {2}, {0, 2}}, {"none", "I8", {0}, {0, 0}}};
  file.data = "12";
  const std::string text = file.bytes();
  const SafetensorsFile read = SafetensorsFile::from_bytes(std::as_bytes(std::span(text)), "file");
  EXPECT_EQ(read.tensors()[0].name, "none");
  EXPECT_EQ(read.tensors()[1].name, "wide");
}

// Any damage gives an Error or a file that still obeys the rules; never a crash.
TEST(Safetensors, SurvivesRandomDamage) {
  const std::string whole = small_valid_safetensors().bytes();
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (auto i = random() % 4 + 1; i > 0; --i) {
      text[random() % text.size()] =
          static_cast<char>(random() % 3 == 0 ? random() : "{}[]\",:09"[random() % 9]);
    }
    try {
      count_tensors(text);
    } catch (const Error&) {
    }
  }
}

TEST(Safetensors, WritesWhatItReads) {
  const test::TempDir dir;
  const std::vector<float> values = {1.5f, -2.0f, 0x1p-149f, 3e38f};
  const std::vector<std::uint16_t> halves = {0x3c00, 0x0001, 0xfbff};
  const std::vector<TensorView> tensors = {
      {"second\"\\\n\u00e9", DType::kBF16, {3, 1}, std::as_bytes(std::span(halves))},
      {"first", DType::kF32, {2, 2}, std::as_bytes(std::span(values))},
      {"none", DType::kI64, {0}, {}}};
  lab::write_safetensors(dir / "x.safetensors", tensors, {{"key", "value \"quoted\""}});
  const SafetensorsFile file = SafetensorsFile::open(dir / "x.safetensors");
  ASSERT_EQ(file.tensors().size(), 3u);
  for (const TensorView& written : tensors) {
    const TensorView* read = file.find(written.name);
    ASSERT_NE(read, nullptr) << written.name;
    EXPECT_EQ(read->dtype, written.dtype);
    EXPECT_EQ(read->shape, written.shape);
    EXPECT_EQ(bytes_of(*read), bytes_of(written));
  }
  EXPECT_EQ(file.tensors()[0].name, tensors[0].name);
  EXPECT_EQ(file.metadata().at("key"), "value \"quoted\"");
  const std::string bytes = test::read_file(dir / "x.safetensors");
  EXPECT_EQ((bytes.size() - 22) % 64, 0u) << "data starts at a multiple of 64";
  EXPECT_EQ(test::count_files(dir.path()), 1u) << "no temporary is left";
}

TEST(Safetensors, WriterRefusesWhatCannotBeRead) {
  const test::TempDir dir;
  const std::vector<float> values(4);
  const TensorView good = {"a", DType::kF32, {4}, std::as_bytes(std::span(values))};
  const auto write = [&](const TensorView& bad) {
    const std::vector<TensorView> tensors = {good, bad};
    lab::write_safetensors(dir / "x", tensors);
  };
  TensorView bad = good;
  EXPECT_ERROR(write(bad), ErrorCode::kInvalidArgument, "two tensors are named 'a'");
  bad.name = "b";
  bad.shape = {5};
  EXPECT_ERROR(write(bad), ErrorCode::kInvalidArgument, "'b' holds 16 bytes");
  bad.shape = {4};
  bad.name = "\xff";
  EXPECT_ERROR(write(bad), ErrorCode::kInvalidArgument, "not UTF-8");
  bad.name = "__metadata__";
  EXPECT_ERROR(write(bad), ErrorCode::kInvalidArgument, "__metadata__");
  EXPECT_EQ(test::count_files(dir.path()), 0u);
  EXPECT_ERROR(lab::write_safetensors(dir / "no" / "x", {}), ErrorCode::kNotFound,
               "cannot be created");
}

TEST(Safetensors, OpenNamesWhatIsNotAFile) {
  const test::TempDir dir;
  EXPECT_ERROR(SafetensorsFile::open(dir / "absent"), ErrorCode::kNotFound, "absent");
  EXPECT_ERROR(SafetensorsFile::open(dir.path()), ErrorCode::kNotFound, "not a regular file");
  test::write_file(dir / "empty", "");
  EXPECT_ERROR(SafetensorsFile::open(dir / "empty"), kCorrupt, "0 bytes, too short");
}

TEST(ToF32, ConvertsEveryWeightTypeAtAnyAlignment) {
  const std::string f32("\0\0\0\xc0\x3f", 5);  // 1.5 after one byte
  const TensorView odd = {"a", DType::kF32, {1}, std::as_bytes(std::span(f32)).subspan(1)};
  std::vector<float> one(1);
  to_f32(odd, nullptr, one);
  EXPECT_EQ(one[0], 1.5f);

  const std::vector<std::uint16_t> halves = {0x3c00, 0xc000};
  std::vector<float> two(2);
  to_f32({"h", DType::kF16, {2}, std::as_bytes(std::span(halves))}, nullptr, two);
  EXPECT_EQ(two, (std::vector<float>{1, -2}));
  const std::vector<std::uint16_t> brains = {0x3f80, 0xc000};
  to_f32({"b", DType::kBF16, {2}, std::as_bytes(std::span(brains))}, nullptr, two);
  EXPECT_EQ(two, (std::vector<float>{1, -2}));

  const std::vector<std::int8_t> ints = {-127, 0, 127, 1, 2, 3};
  const std::vector<float> scales = {0.5f, 2.0f};
  const TensorView quantized = {"q", DType::kI8, {2, 3}, std::as_bytes(std::span(ints))};
  const TensorView scale = {"q.scale", DType::kF32, {2}, std::as_bytes(std::span(scales))};
  std::vector<float> six(6);
  to_f32(quantized, &scale, six);
  EXPECT_EQ(six, (std::vector<float>{-63.5f, 0, 63.5f, 2, 4, 6}));
}

TEST(ToF32, RefusesWhatIsNoWeight) {
  const std::vector<std::int8_t> ints(6);
  const std::vector<float> scales(3);
  const TensorView quantized = {"q", DType::kI8, {2, 3}, std::as_bytes(std::span(ints))};
  const TensorView scale = {"q.scale", DType::kF32, {3}, std::as_bytes(std::span(scales))};
  std::vector<float> six(6);
  EXPECT_ERROR(to_f32(quantized, nullptr, six), kCorrupt, "'q' is int8 and has no scales");
  EXPECT_ERROR(to_f32(quantized, &scale, six), kCorrupt, "2 rows");
  EXPECT_ERROR(to_f32({"u", DType::kU8, {6}, std::as_bytes(std::span(ints))}, nullptr, six),
               kCorrupt, "'u' is U8");
  EXPECT_ERROR(to_f32(scale, nullptr, six), ErrorCode::kInvalidArgument, "room for 6");
}

TEST(ToF32, RefusesScalesOfAnotherType) {
  const std::vector<std::int8_t> ints(6);
  const std::vector<std::uint16_t> halves(2);
  const TensorView quantized = {"q", DType::kI8, {2, 3}, std::as_bytes(std::span(ints))};
  const TensorView scale = {"q.scale", DType::kF16, {2}, std::as_bytes(std::span(halves))};
  std::vector<float> six(6);
  EXPECT_ERROR(to_f32(quantized, &scale, six), kCorrupt, "has 2 rows, its scales are F16 [2]");
}

TEST(ToF32, TakesScalarsAndTensorsWithoutValues) {
  const std::vector<std::int8_t> ints = {4};
  const std::vector<float> scales = {0.5f};
  const TensorView scale = {"q.scale", DType::kF32, {1}, std::as_bytes(std::span(scales))};
  std::vector<float> one(1);
  to_f32({"q", DType::kI8, {}, std::as_bytes(std::span(ints))}, &scale, one);
  EXPECT_EQ(one[0], 2.0f);
  const TensorView no_scale = {"n.scale", DType::kF32, {0}, {}};
  to_f32({"n", DType::kI8, {0, 3}, {}}, &no_scale, {});
  to_f32({"n", DType::kF32, {0, 3}, {}}, nullptr, {});
  to_f32({"n", DType::kBF16, {0}, {}}, nullptr, {});
}

TEST(RowToF32, IsARowOfTheWhole) {
  const std::vector<std::int8_t> ints = {-127, 0, 127, 1, 2, 3};
  const std::vector<std::uint16_t> halves = {0x3c00, 0xc000, 0, 0x4000, 0x4200, 0x4400};
  const std::vector<float> floats = {1, 2, 3, 4, 5, 6};
  const std::vector<float> scales = {0.5f, 2.0f};
  const TensorView scale = {"s", DType::kF32, {2}, std::as_bytes(std::span(scales))};
  for (const TensorView& tensor :
       {TensorView{"i", DType::kI8, {2, 3}, std::as_bytes(std::span(ints))},
        TensorView{"h", DType::kF16, {2, 3}, std::as_bytes(std::span(halves))},
        TensorView{"b", DType::kBF16, {2, 3}, std::as_bytes(std::span(halves))},
        TensorView{"f", DType::kF32, {2, 3}, std::as_bytes(std::span(floats))}}) {
    std::vector<float> whole(6);
    to_f32(tensor, &scale, whole);
    for (std::size_t row = 0; row < 2; ++row) {
      std::vector<float> values(3);
      row_to_f32(tensor, &scale, row, values);
      EXPECT_TRUE(std::equal(values.begin(), values.end(), whole.begin() + 3 * row))
          << tensor.name << ' ' << row;
    }
  }
}

TEST(RowToF32, RefusesRowsThatAreNotThereAndRoomThatDoesNotFit) {
  const std::vector<float> floats(6);
  const std::vector<std::int8_t> ints(6);
  const TensorView tensor = {"f", DType::kF32, {2, 3}, std::as_bytes(std::span(floats))};
  std::vector<float> three(3);
  EXPECT_ERROR(row_to_f32(tensor, nullptr, 2, three), ErrorCode::kInvalidArgument,
               "'f' has 2 rows, none is 2");
  EXPECT_ERROR(row_to_f32({"n", DType::kF32, {0, 3}, {}}, nullptr, 0, three),
               ErrorCode::kInvalidArgument, "'n' has 0 rows, none is 0");
  EXPECT_ERROR(row_to_f32(tensor, nullptr, 0, std::span(three).first(2)),
               ErrorCode::kInvalidArgument, "has 3 values, there is room for 2");
  EXPECT_ERROR(
      row_to_f32({"q", DType::kI8, {2, 3}, std::as_bytes(std::span(ints))}, nullptr, 0, three),
      kCorrupt, "'q' is int8 and has no scales");
}

}  // namespace
}  // namespace diffie::model_dir
