#include "train/event_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <bit>
#include <cstring>
#include <filesystem>

#include "expect_error.h"
#include "synthetic.h"
#include "temp_dir.h"
#include "train/crc32c.h"

namespace diffie::train {
namespace {

template <typename T>
T read_fixed(const std::string& bytes, std::size_t& at) {
  T value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  at += sizeof(T);
  return value;
}

std::uint32_t masked(std::string_view bytes) {
  return masked_crc32c(std::as_bytes(std::span(bytes)));
}

// The records of a file, with both checksums checked.
std::vector<std::string> records(const std::string& file) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < file.size();) {
    const std::string_view length_bytes(file.data() + at, 8);
    const auto length = read_fixed<std::uint64_t>(file, at);
    EXPECT_EQ(read_fixed<std::uint32_t>(file, at), masked(length_bytes));
    result.push_back(file.substr(at, length));
    at += length;
    EXPECT_EQ(read_fixed<std::uint32_t>(file, at), masked(result.back()));
  }
  return result;
}

struct Field {
  std::uint32_t number = 0;
  std::uint64_t integer = 0;  // varint and fixed
  std::string bytes;
};

std::uint64_t read_varint(const std::string& bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.at(at++));
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

std::vector<Field> fields(const std::string& message) {
  std::vector<Field> result;
  for (std::size_t at = 0; at < message.size();) {
    const std::uint64_t key = read_varint(message, at);
    Field field;
    field.number = static_cast<std::uint32_t>(key >> 3);
    if ((key & 7) == 0) {
      field.integer = read_varint(message, at);
    } else if ((key & 7) == 1) {
      field.integer = read_fixed<std::uint64_t>(message, at);
    } else if ((key & 7) == 5) {
      field.integer = read_fixed<std::uint32_t>(message, at);
    } else {
      const std::uint64_t size = read_varint(message, at);
      field.bytes = message.substr(at, size);
      at += size;
    }
    result.push_back(field);
  }
  return result;
}

TEST(EventFile, ParsesBackAsEvents) {
  const test::TempDir dir;
  EventFile file(dir.path(), 1000.5);
  file.add_scalar("train/loss", 0.25, 300, 1001.5);
  const std::vector<std::string> events = records(test::read_file(file.path()));
  ASSERT_EQ(events.size(), 2u);

  const auto version = fields(events[0]);
  ASSERT_EQ(version.size(), 2u);
  EXPECT_EQ(version[0].number, 1u);
  EXPECT_EQ(std::bit_cast<double>(version[0].integer), 1000.5);
  EXPECT_EQ(version[1].number, 3u);
  EXPECT_EQ(version[1].bytes, "brain.Event:2");

  const auto event = fields(events[1]);
  ASSERT_EQ(event.size(), 3u);
  EXPECT_EQ(std::bit_cast<double>(event[0].integer), 1001.5);
  EXPECT_EQ(event[1].number, 2u);
  EXPECT_EQ(event[1].integer, 300u);
  EXPECT_EQ(event[2].number, 5u);
  const auto summary = fields(event[2].bytes);
  ASSERT_EQ(summary.size(), 1u);
  const auto value = fields(summary[0].bytes);
  ASSERT_EQ(value.size(), 2u);
  EXPECT_EQ(value[0].bytes, "train/loss");
  EXPECT_EQ(value[1].number, 2u);
  EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(value[1].integer)), 0.25f);
}

TEST(EventFile, SaysWhereItCannotWrite) {
  EXPECT_ERROR(EventFile("/nonexistent-dir", 1), ErrorCode::kNotFound, "nonexistent-dir");

  const test::TempDir dir;
  EventFile file(dir.path(), 1);
  rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const rlimit full = {std::filesystem::file_size(file.path()), usual.rlim_max};
  ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &full);
  EXPECT_ERROR(file.add_scalar("train/loss", 0.25, 1, 2), ErrorCode::kNotFound,
               "cannot be written");
  ::setrlimit(RLIMIT_FSIZE, &usual);
  ::signal(SIGXFSZ, SIG_DFL);
}

}  // namespace
}  // namespace diffie::train
