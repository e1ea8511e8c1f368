#include "files/loaded_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "expect_error.h"
#include "files/read_file.h"
#include "temp_dir.h"

namespace diffie::files {
namespace {

std::string text_of(const LoadedFile& file) {
  const auto bytes = file.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(LoadedFile, HoldsTheWholeFileAtAwkwardSizes) {
  const test::TempDir dir;
  for (const std::size_t size : {0, 1, 4095, 4096, 4097, 300'000}) {
    std::string text(size, 'a');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i % 23);
    test::write_file(dir / "f", text);
    EXPECT_EQ(text_of(LoadedFile::open(dir / "f")), text);
    EXPECT_EQ(read_small_file(dir / "f", size), text);
    std::string blocks;
    for_each_block(dir / "f", [&](std::span<const std::byte> block) {
      blocks.append(reinterpret_cast<const char*>(block.data()), block.size());
    });
    EXPECT_EQ(blocks, text);
  }
}

// A mapping would end the process with SIGBUS here.
TEST(LoadedFile, KeepsItsBytesWhenTheFileShrinksOrChanges) {
  const test::TempDir dir;
  test::write_file(dir / "f", std::string(100'000, 'a'));
  const LoadedFile file = LoadedFile::open(dir / "f");
  std::filesystem::resize_file(dir / "f", 0);
  EXPECT_EQ(text_of(file), std::string(100'000, 'a'));
  test::write_file(dir / "f", std::string(100'000, 'b'));
  EXPECT_EQ(text_of(file), std::string(100'000, 'a'));
}

TEST(LoadedFile, RefusesWhatIsTooLargeOrNoFile) {
  const test::TempDir dir;
  test::write_file(dir / "f", "12345");
  EXPECT_ERROR(LoadedFile::open(dir / "f", 4), ErrorCode::kCorruptModel, "5 bytes, at most 4");
  EXPECT_ERROR(LoadedFile::open(dir / "absent"), ErrorCode::kNotFound, "absent");
  EXPECT_ERROR(LoadedFile::open(dir.path()), ErrorCode::kNotFound, "not a regular file");
  EXPECT_ERROR(for_each_block(dir / "absent", [](auto) {}), ErrorCode::kNotFound, "absent");
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_ERROR(LoadedFile::open(dir / "pipe"), ErrorCode::kNotFound, "not a regular file");
}

// The time for 2 GB of zeros and the memory for twice as much were asked for once.
TEST(ReadTextFile, RefusesWhatHasNoEnd) {
  const test::TempDir dir;
  EXPECT_ERROR(read_text_file("/dev/zero"), ErrorCode::kExhausted,
               "/dev/zero: over 268435456 bytes, the most that is read");
  EXPECT_ERROR(read_text_file("/dev/zero", 100'000), ErrorCode::kExhausted, "over 100000 bytes");
  test::write_file(dir / "f", "12345");
  EXPECT_EQ(read_text_file(dir / "f", 5), "12345");
  EXPECT_ERROR(read_text_file(dir / "f", 4), ErrorCode::kExhausted, "f: over 4 bytes");
  std::filesystem::resize_file(dir / "f", kMaxTextBytes + 1);  // of which nothing is read
  EXPECT_ERROR(read_text_file(dir / "f"), ErrorCode::kExhausted, "f: over 268435456 bytes");
}

// 2^62 bytes of a sparse file, where the file system has such.
TEST(LoadedFile, RefusesWhatNoMemoryHolds) {
  const test::TempDir dir;
  test::write_file(dir / "f", "");
  std::error_code refused;
  for (int bits = 62; bits >= 43; --bits) {
    std::filesystem::resize_file(dir / "f", std::uintmax_t{1} << bits, refused);
    if (!refused) break;
  }
  if (refused) GTEST_SKIP() << "no file of 8 TiB can be made here";
  if (test::read_file("/proc/sys/vm/overcommit_memory").starts_with('1'))
    GTEST_SKIP() << "the system promises any memory";
  EXPECT_ERROR(LoadedFile::open(dir / "f"), ErrorCode::kExhausted, "no memory");
}

}  // namespace
}  // namespace diffie::files
