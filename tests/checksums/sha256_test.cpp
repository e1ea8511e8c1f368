#include "checksums/sha256.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "diffie/error.h"
#include "expect_error.h"
#include "temp_dir.h"

namespace diffie::checksums {
namespace {

std::string hash(std::string_view text) { return sha256(std::as_bytes(std::span(text))); }

TEST(Sha256, AgreesWithThePublishedVectors) {
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                 "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

TEST(Sha256, HashesAMillionLettersInUnevenParts) {
  Sha256 hash;
  const std::string letters(1000, 'a');
  std::size_t left = 1'000'000;
  for (std::size_t part = 1; left > 0; part = part % 997 + 1) {
    const std::size_t taken = std::min(part, left);
    hash.update(std::as_bytes(std::span(letters).first(taken)));
    left -= taken;
  }
  EXPECT_EQ(hash.finish(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Lengths around the block size and around the place where the length no longer fits.
TEST(Sha256, PartsGiveTheSumOfTheWhole) {
  for (const std::size_t size : {1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 129}) {
    std::string text(size, 'x');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7);
    for (std::size_t cut = 0; cut <= size; ++cut) {
      Sha256 hash_in_parts;
      hash_in_parts.update(std::as_bytes(std::span(text).first(cut)));
      hash_in_parts.update(std::as_bytes(std::span(text).subspan(cut)));
      ASSERT_EQ(hash_in_parts.finish(), hash(text)) << size << " cut at " << cut;
    }
  }
}

TEST(Sha256, HashesAFile) {
  const test::TempDir dir;
  test::write_file(dir / "abc", "abc");
  test::write_file(dir / "empty", "");
  EXPECT_EQ(sha256_of_file(dir / "abc"), hash("abc"));
  EXPECT_EQ(sha256_of_file(dir / "empty"), hash(""));
  EXPECT_ERROR(sha256_of_file(dir / "absent"), ErrorCode::kNotFound, "absent");
  EXPECT_ERROR(sha256_of_file(dir.path()), ErrorCode::kNotFound, "not a regular file");
}

}  // namespace
}  // namespace diffie::checksums
