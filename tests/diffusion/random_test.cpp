#include "diffusion/random.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>
#include <vector>

#include "diffusion/sampler.h"

namespace diffie::diffusion {
namespace {

// The known-answer vectors published with Random123.
TEST(Philox, GivesThePublishedAnswers) {
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(base::philox4x32({0, 0, 0, 0}, 0),
            (base::PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(base::philox4x32({kOnes, kOnes, kOnes, kOnes}, ~std::uint64_t{0}),
            (base::PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(base::philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (base::PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomWords, EveryCoordinateCounts) {
  std::set<base::PhiloxBlock> seen;
  int drawn = 0;
  for (const std::uint64_t key : {0ull, 1ull, 1ull << 32})
    for (const Stream stream : {Stream::kReverse, Stream::kStrata})
      for (const std::uint64_t trajectory : {0ull, 1ull, 1ull << 32, ~0ull})
        for (const std::uint32_t step : {0u, 1u, 100'000u})
          for (const std::size_t group : {0u, 1u, 5u}) {
            seen.insert(random_words(key, stream, trajectory, step, group));
            ++drawn;
          }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(drawn));
}

TEST(RandomWords, UniformNumbersNeverReachEitherEnd) {
  EXPECT_GT(to_uniform(0), 0.0);
  EXPECT_LT(to_uniform(0xffffffff), 1.0);
  EXPECT_LT(static_cast<double>(to_uniform(0xffffffff)) * 3.7, 3.7);
  EXPECT_EQ(to_uniform(0), 0x1p-33);
  EXPECT_EQ(to_uniform(0xffffffff), 1 - 0x1p-33);
  EXPECT_EQ(to_uniform(0x80000000), 0.5 + 0x1p-33);
}

TEST(RandomWords, AreThoseOfTheirCounter) {
  EXPECT_EQ(random_words(9, Stream::kStrata, 0x123456789abcdef0, 100'000, 77),
            base::philox4x32({0x9abcdef0, 0x12345678, 77, 2u << 24 | 100'000}, 9));
}

TEST(SentenceKey, DependsOnSeedBytesAndLength) {
  const std::string zeros(40, '\0');
  std::set<std::uint64_t> keys;
  for (std::size_t length = 0; length <= zeros.size(); ++length)
    keys.insert(sentence_key(0, std::string_view(zeros).substr(0, length)));
  for (std::uint64_t seed = 1; seed <= 100; ++seed) keys.insert(sentence_key(seed, ""));
  EXPECT_EQ(keys.size(), 41u + 100u);
  EXPECT_EQ(sentence_key(7, "A dog barked ."), sentence_key(7, std::string("A dog barked .")));
  // Words moved across an eight-byte border, and sentences that share all but their order.
  EXPECT_NE(sentence_key(0, "aaaaaaaabbbbbbbb"), sentence_key(0, "bbbbbbbbaaaaaaaa"));
}

// From a transcription in another language; keys of whole words of eight bytes among them.
TEST(SentenceKey, IsTheTranscriptions) {
  EXPECT_EQ(sentence_key(7, ""), 8409816773569330625u);
  EXPECT_EQ(sentence_key(7, "dog"), 7869419916644273353u);
  EXPECT_EQ(sentence_key(7, "Dogs bit"), 5051562221197183968u);
  EXPECT_EQ(sentence_key(7, "Dogs bit men and"), 4041068593664291328u);
}

TEST(SentenceKey, ManySentencesDoNotCollide) {
  std::set<std::uint64_t> keys;
  const std::size_t count = 100'000;
  for (std::size_t i = 0; i < count; ++i)
    keys.insert(sentence_key(i % 3, fmt::format("Sentence number {} .", i / 3)));
  EXPECT_EQ(keys.size(), count);
}

TEST(SentenceKey, EveryBitOfTheTextMovesHalfTheKey) {
  const std::string text = "The quick brown fox jumps .";
  const std::uint64_t key = sentence_key(1, text);
  int flipped = 0;
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string other = text;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << (bit % 8)));
    const int distance = std::popcount(key ^ sentence_key(1, other));
    EXPECT_GT(distance, 10);
    flipped += distance;
  }
  EXPECT_NEAR(flipped / static_cast<double>(text.size() * 8), 32.0, 1.5);
}

}  // namespace
}  // namespace diffie::diffusion
