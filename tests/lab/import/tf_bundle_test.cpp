#include "lab/import/tf_bundle.h"

#include <gtest/gtest.h>

#include <random>

#include "archive_builder.h"
#include "expect_error.h"

namespace diffie::lab {
namespace {

using test::BundleBuilder;
using test::bytes_of;
constexpr auto kCorrupt = ErrorCode::kCorruptModel;

BundleBuilder valid_bundle() {
  BundleBuilder bundle;
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  for (const char* name :
       {"module/a/beta", "module/a/gamma", "module/b/kernel", "module/bb", "other"}) {
    bundle.add(name, {2, 3}, values);
  }
  bundle.add("scalar", {}, std::span(values).first(1));
  return bundle;
}

std::size_t count(const BundleBuilder& bundle) {
  const std::string index = bundle.index();
  return read_tf_bundle(bytes_of(index), bytes_of(bundle.data), "index").size();
}

TEST(Crc32c, AgreesWithThePublishedVectors) {
  EXPECT_EQ(base::crc32c(bytes_of("123456789")), 0xe3069283u);
  EXPECT_EQ(base::crc32c(bytes_of(std::string(32, '\0'))), 0x8a9136aau);
  EXPECT_EQ(base::crc32c(bytes_of(std::string(32, '\xff'))), 0x62a8ab43u);
  EXPECT_EQ(base::crc32c({}), 0u);
}

TEST(TfBundle, ReadsNamesShapesAndBytes) {
  for (const std::size_t records : {1, 2, 3, 100}) {
    BundleBuilder builder = valid_bundle();
    builder.records_per_block = records;
    const std::string index = builder.index();
    const auto bundle = read_tf_bundle(bytes_of(index), bytes_of(builder.data), "index");
    ASSERT_EQ(bundle.size(), 6u);
    EXPECT_EQ(bundle.at("module/bb").shape, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(bundle.at("module/bb").bytes.data(), bytes_of(builder.data).data() + 3 * 24);
    EXPECT_TRUE(bundle.at("scalar").shape.empty());
  }
}

TEST(TfBundle, RefusesTensorsThatCannotBe) {
  const auto broken = [](auto change) {
    BundleBuilder bundle = valid_bundle();
    change(bundle.entries.at("module/bb"));
    return bundle;
  };
  using Entry = BundleBuilder::Entry;
  EXPECT_ERROR(count(broken([](Entry& e) { e.crc ^= 1; })), kCorrupt,
               "module/bb: CRC-32C is wrong");
  EXPECT_ERROR(count(broken([](Entry& e) { e.offset = 1; })), kCorrupt,
               "module/bb: CRC-32C is wrong");
  EXPECT_ERROR(count(broken([](Entry& e) { e.offset = ~0ull; })), kCorrupt,
               "module/bb: tensor lies at");
  EXPECT_ERROR(count(broken([](Entry& e) { e.size = ~0ull; })), kCorrupt,
               "module/bb: tensor lies at");
  EXPECT_ERROR(count(broken([](Entry& e) { e.size = 20; })), kCorrupt,
               "20 bytes do not hold F32 [2, 3]");
  EXPECT_ERROR(count(broken([](Entry& e) {
                 e.shape = {1ull << 62, 1ull << 62};
               })),
               kCorrupt, "do not hold");
  EXPECT_ERROR(count(broken([](Entry& e) { e.shape = std::vector<std::uint64_t>(9, 1); })),
               kCorrupt, "more than 8 axes");
  EXPECT_ERROR(count(broken([](Entry& e) { e.type = 3; })), ErrorCode::kUnsupported, "type 3");
  EXPECT_ERROR(count(broken([](Entry& e) { e.shard = 1; })), ErrorCode::kUnsupported,
               "data file 1");
  EXPECT_ERROR(count(broken([](Entry& e) { e.sliced = true; })), ErrorCode::kUnsupported, "slices");
}

TEST(TfBundle, RefusesTablesThatCannotBe) {
  BundleBuilder bundle = valid_bundle();
  bundle.magic ^= 1;
  EXPECT_ERROR(count(bundle), kCorrupt, "wrong magic number");
  bundle = valid_bundle();
  bundle.crc_error = 1;
  EXPECT_ERROR(count(bundle), kCorrupt, "CRC of the table block");
  bundle = valid_bundle();
  bundle.compression = 1;
  EXPECT_ERROR(count(bundle), ErrorCode::kUnsupported, "compressed");
  bundle = valid_bundle();
  bundle.header = "\x08\x02";
  EXPECT_ERROR(count(bundle), ErrorCode::kUnsupported, "several data files");
  bundle = valid_bundle();
  bundle.repeat_blocks = true;
  EXPECT_ERROR(count(bundle), kCorrupt, "out of order");
  EXPECT_ERROR(read_tf_bundle(bytes_of("short"), {}, "index"), kCorrupt, "too short");
}

TEST(TfBundle, SurvivesRandomDamage) {
  const BundleBuilder bundle = valid_bundle();
  const std::string whole = bundle.index();
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string index = whole;
    for (auto i = random() % 3 + 1; i > 0; --i)
      index[random() % index.size()] = static_cast<char>(random());
    try {
      read_tf_bundle(bytes_of(index), bytes_of(bundle.data), "index");
    } catch (const Error&) {
    }
  }
}

// The CRC of a block shields its parser; this reaches the parser with damage inside.
TEST(TfBundle, SurvivesDamagedRecordsUnderAValidCrc) {
  std::mt19937 random(2);
  const BundleBuilder valid = valid_bundle();
  for (int round = 0; round < 2000; ++round) {
    std::string file;
    std::string record = BundleBuilder::message(valid.entries.at("module/bb"));
    for (auto i = random() % 4; i > 0; --i)
      record[random() % record.size()] = static_cast<char>(random());
    std::string handle = valid.append(file, {{"", valid.header}, {"name", record}});
    if (round % 5 == 0) handle[random() % handle.size()] = static_cast<char>(random());
    const std::string meta = valid.append(file, {});
    std::string footer = meta + valid.append(file, {{"name", handle}});
    footer.resize(40);
    file += footer + test::little_endian(valid.magic, 8);
    try {
      read_tf_bundle(bytes_of(file), bytes_of(valid.data), "index");
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace diffie::lab
