#include <gtest/gtest.h>

#include <random>

#include "archive_builder.h"
#include "expect_error.h"
#include "lab/import/byte_reader.h"
#include "lab/import/inflate.h"
#include "lab/import/tar_reader.h"
#include "lab/import/zip_reader.h"

namespace diffie::lab {
namespace {

using test::bytes_of;
using test::TarBuilder;
using test::ZipBuilder;
constexpr auto kCorrupt = ErrorCode::kCorruptModel;

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

ZipBuilder valid_zip() {
  ZipBuilder zip;
  zip.entries = {
      {"dir/", ""}, {"dir/stored", "plain text"}, {"dir/deflated", std::string(5000, 'x'), 8}};
  return zip;
}

std::string read_from(const ZipBuilder& zip, std::string_view name) {
  const std::string text = zip.bytes();
  const ZipReader reader(bytes_of(text), "a.zip");
  std::vector<std::byte> storage;
  return text_of(reader.read(reader.entry(name), storage));
}

TEST(ZipReader, ReadsStoredAndDeflatedEntries) {
  ZipBuilder zip = valid_zip();
  EXPECT_EQ(read_from(zip, "dir/stored"), "plain text");
  EXPECT_EQ(read_from(zip, "dir/deflated"), std::string(5000, 'x'));
  zip.comment = "a comment with PK\x05\x06 in it";
  EXPECT_EQ(read_from(zip, "dir/stored"), "plain text");
  EXPECT_ERROR(read_from(zip, "absent"), kCorrupt, "a.zip: holds no 'absent'");
}

TEST(ZipReader, RefusesWhatIsNoZip) {
  for (const std::string& text :
       {std::string(), std::string("PK"), std::string(22, '\0'), std::string(100'000, 'P')}) {
    EXPECT_ERROR(ZipReader(bytes_of(text), "a.zip"), kCorrupt, "not a zip archive");
  }
}

TEST(ZipReader, RefusesDirectoriesThatCannotBe) {
  ZipBuilder zip = valid_zip();
  zip.directory_offset = 0xfffffff0;
  EXPECT_ERROR(read_from(zip, "dir/stored"), kCorrupt, "zip directory lies at 4294967280");
  zip = valid_zip();
  zip.count = 4;
  EXPECT_ERROR(read_from(zip, "dir/stored"), kCorrupt, "bytes wanted");
  zip.count = 2;
  EXPECT_ERROR(read_from(zip, "dir/stored"), kCorrupt, "more than 2");
  zip = valid_zip();
  zip.directory_offset = 1;
  EXPECT_ERROR(read_from(zip, "dir/stored"), kCorrupt, "zip directory is damaged");
  zip = valid_zip();
  zip.entries[1].name = "dir/deflated";
  EXPECT_ERROR(read_from(zip, "dir/deflated"), kCorrupt, "two zip entries");
}

TEST(ZipReader, RefusesEntriesThatCannotBe) {
  const auto broken = [](auto change) {
    ZipBuilder zip = valid_zip();
    change(zip.entries[1], zip.entries[2]);
    return zip;
  };
  using Entry = ZipBuilder::Entry;
  EXPECT_ERROR(read_from(broken([](Entry& stored, Entry&) { stored.crc = 1; }), "dir/stored"),
               kCorrupt, "CRC-32 is wrong");
  EXPECT_ERROR(read_from(broken([](Entry&, Entry& d) { d.crc = 1; }), "dir/deflated"), kCorrupt,
               "CRC-32 is wrong");
  EXPECT_ERROR(read_from(broken([](Entry& s, Entry&) { s.size = 11; }), "dir/stored"), kCorrupt,
               "10 bytes of 11");
  EXPECT_ERROR(read_from(broken([](Entry& s, Entry&) { s.size = s.compressed_size = 1'000'000; }),
                         "dir/stored"),
               kCorrupt, "1000000 bytes wanted");
  EXPECT_ERROR(read_from(broken([](Entry&, Entry& d) { d.size = 4999; }), "dir/deflated"), kCorrupt,
               "does not hold 4999");
  EXPECT_ERROR(read_from(broken([](Entry&, Entry& d) { d.size = 5001; }), "dir/deflated"), kCorrupt,
               "does not hold 5001");
  EXPECT_ERROR(read_from(broken([](Entry&, Entry& d) { d.size = 0xfffffffe; }), "dir/deflated"),
               kCorrupt, "cannot become");
  EXPECT_ERROR(read_from(broken([](Entry&, Entry& d) { d.compressed_size = 5; }), "dir/deflated"),
               kCorrupt, "dir/deflated");
  EXPECT_ERROR(read_from(broken([](Entry& s, Entry&) { s.header_offset = 3; }), "dir/stored"),
               kCorrupt, "zip entry is damaged");
  EXPECT_ERROR(
      read_from(broken([](Entry& s, Entry&) { s.header_offset = 0xfffffff0; }), "dir/stored"),
      kCorrupt, "are left");
  EXPECT_ERROR(read_from(broken([](Entry& s, Entry&) { s.flags = 1; }), "dir/stored"),
               ErrorCode::kUnsupported, "encrypted");
  EXPECT_ERROR(read_from(broken([](Entry& s, Entry&) { s.method = 12; }), "dir/stored"),
               ErrorCode::kUnsupported, "method 12");
  EXPECT_ERROR(read_from(broken([](Entry& s, Entry&) { s.size = 0xffffffff; }), "dir/stored"),
               ErrorCode::kUnsupported, "zip64");
}

TEST(ZipReader, SurvivesRandomDamage) {
  const std::string whole = valid_zip().bytes();
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string text =
        whole.substr(0, whole.size() - (round % 4 == 0 ? random() % whole.size() : 0));
    for (auto i = random() % 3 + 1; i > 0 && !text.empty(); --i)
      text[random() % text.size()] = static_cast<char>(random());
    try {
      const ZipReader reader(bytes_of(text), "a.zip");
      std::vector<std::byte> storage;
      for (const ZipEntry& entry : reader.entries()) reader.read(entry, storage);
    } catch (const Error&) {
    }
  }
}

TEST(Gunzip, ReadsUpToItsLimit) {
  for (const std::size_t size : {0, 1, 65535, 65536, 65537, 1'000'000}) {
    const std::string text(size, 'a');
    const std::string packed = test::deflated(text, 31);
    EXPECT_EQ(text_of(gunzip(bytes_of(packed), std::max<std::size_t>(size, 1), "a.gz")), text);
    if (size > 0) EXPECT_ERROR(gunzip(bytes_of(packed), size - 1, "a.gz"), kCorrupt, "more than");
  }
}

TEST(Gunzip, RefusesDamage) {
  const std::string packed = test::deflated("some text, some text, some text", 31);
  for (std::size_t size = 0; size < packed.size(); ++size) {
    EXPECT_ERROR(gunzip(bytes_of(packed.substr(0, size)), 1000, "a.gz"), kCorrupt,
                 "a.gz: compressed data");
  }
  std::string wrong_crc = packed;
  wrong_crc[packed.size() - 6] ^= 1;
  EXPECT_ERROR(gunzip(bytes_of(wrong_crc), 1000, "a.gz"), kCorrupt, "damaged");
  EXPECT_ERROR(gunzip(bytes_of("no gzip at all"), 1000, "a.gz"), kCorrupt, "damaged");
}

TarBuilder valid_tar() {
  TarBuilder tar;
  tar.entries = {{"package/", "", '5'},
                 {"package/a", "text of a"},
                 {"b", std::string(512, 'b'), '\0', "package"},
                 {"link", "", '2'}};
  return tar;
}

TEST(TarReader, ReadsRegularFilesOnly) {
  const std::string text = valid_tar().bytes();
  const std::vector<TarEntry> entries = read_tar(bytes_of(text), "a.tar");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(text_of(tar_file(entries, "package/a", "a.tar")), "text of a");
  EXPECT_EQ(text_of(tar_file(entries, "package/b", "a.tar")), std::string(512, 'b'));
  EXPECT_ERROR(tar_file(entries, "c", "a.tar"), kCorrupt, "a.tar: holds no 'c'");
}

TEST(TarReader, RefusesDamage) {
  const auto read = [](const TarBuilder& tar) {
    const std::string text = tar.bytes();
    return read_tar(bytes_of(text), "a.tar").size();
  };
  TarBuilder tar = valid_tar();
  tar.entries[1].checksum = "000001";
  EXPECT_ERROR(read(tar), kCorrupt, "tar header at byte 512 is damaged");
  for (const char* size :
       {"99999999999", "77777777777", "", "-1", "1x", "\x80\1\1\1\1\1\1\1\1\1\1"}) {
    tar = valid_tar();
    tar.entries[1].size = size;
    EXPECT_ERROR(read(tar), kCorrupt, "a.tar: ");
  }
  tar = valid_tar();
  tar.with_end = false;
  EXPECT_ERROR(read(tar), kCorrupt, "no end");
  const std::string whole = valid_tar().bytes();
  for (std::size_t size = 0; size < whole.size() - 1024; size += 13) {
    EXPECT_THROW(read_tar(bytes_of(whole.substr(0, size)), "a.tar"), Error) << size;
  }
}

TEST(ByteReader, RefusesNumbersThatDoNotFit) {
  const std::string largest = std::string(9, '\xff') + "\x01";
  EXPECT_EQ(ByteReader(bytes_of(largest), "x").varint(), ~0ull);
  const std::string too_large = std::string(9, '\xff') + "\x02";
  EXPECT_ERROR(ByteReader(bytes_of(too_large), "x").varint(), kCorrupt, "does not fit");
  EXPECT_ERROR(ByteReader(bytes_of(std::string(11, '\xff')), "x").varint(), kCorrupt,
               "does not fit");
  EXPECT_ERROR(ByteReader(bytes_of("\xff"), "x").varint(), kCorrupt, "are left");
  EXPECT_ERROR(ByteReader(bytes_of("abc"), "x").u32(), kCorrupt, "4 bytes wanted at 0, 3 are left");
  EXPECT_ERROR(ByteReader(bytes_of("abc"), "x").skip(~0ull), kCorrupt, "3 are left");
  EXPECT_EQ(ByteReader(bytes_of("\x01\x02\x03\x04"), "x").u32(), 0x04030201u);
}

}  // namespace
}  // namespace diffie::lab
