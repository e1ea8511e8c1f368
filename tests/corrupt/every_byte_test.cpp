// Every cut and every flipped bit of a model's files.
#include <gtest/gtest.h>

#include "corrupt/victim.h"
#include "model_dir/model_config.h"
#include "model_dir/safetensors.h"

namespace diffie {
namespace {

using test::Victim;

bool only_white_space(std::string_view text) {
  return text.find_first_not_of(" \r\n") == std::string_view::npos;
}

class EveryCut : public testing::TestWithParam<const char*> {};

// Whether a file may be cut there: the line break at its end is not needed, and a vocabulary's last
// piece may be any.
bool may_be_cut(const std::string& whole, std::size_t size, bool is_vocabulary) {
  const std::size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
  return only_white_space(whole.substr(size)) || (is_vocabulary && size > last_line);
}

// What is cut at any other byte is refused.
TEST_P(EveryCut, IsRefused) {
  Victim victim;
  ASSERT_TRUE(victim.loads());
  const std::string whole = victim.read(GetParam());
  ASSERT_GT(whole.size(), 20u);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    victim.write(GetParam(), whole.substr(0, size));
    EXPECT_EQ(victim.loads(), may_be_cut(whole, size, GetParam() == std::string("vocab.txt")))
        << GetParam() << ' ' << size;
    if (testing::Test::HasFailure()) return;
  }
  victim.write(GetParam(), whole);
  EXPECT_TRUE(victim.loads());
  RecordProperty("cuts", static_cast<int>(whole.size()));
}

INSTANTIATE_TEST_SUITE_P(Files, EveryCut,
                         testing::Values("config.json", "model.safetensors", "ranker.json",
                                         "vocab.txt", "SHA256SUMS"),
                         [](const auto& file) {
                           const std::string name = file.param;
                           return name.substr(0, name.find('.'));
                         });

// Flips each bit of the first `size` bytes. What the reader alone refuses is done; of what it takes
// every `stride`th is still a whole model, or is refused as one.
template <typename Read>
void flip_all(const char* name, std::size_t size, std::size_t stride, Read read) {
  Victim victim;
  const std::string whole = victim.read(name);
  ASSERT_LE(size, whole.size());
  std::size_t readable = 0, taken = 0, refused = 0;
  for (std::size_t bit = 0; bit < 8 * size; ++bit) {
    std::string text = whole;
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    try {
      read(text);
    } catch (const Error&) {
      ++refused;
      continue;
    }
    if (readable++ % stride != 0) continue;
    victim.write(name, text);
    ++(victim.loads() ? taken : refused);
    if (testing::Test::HasFailure()) FAIL() << name << " bit " << bit;
  }
  EXPECT_GT(refused, taken);
  testing::Test::RecordProperty("flips", static_cast<int>(8 * size));
  testing::Test::RecordProperty("taken", static_cast<int>(taken));
}

TEST(EveryBit, OfTheWeightsHeader) {
  const std::string whole = Victim().read("model.safetensors");
  std::size_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(whole[i]);
  flip_all("model.safetensors", 8 + length, 23, [](const std::string& text) {
    const std::vector<char> exact(text.begin(), text.end());  // a sanitizer sees one byte too far
    model_dir::SafetensorsFile::from_bytes(std::as_bytes(std::span(exact)), "file");
  });
}

TEST(EveryBit, OfTheConfiguration) {
  flip_all("config.json", Victim().read("config.json").size(), 3, [](const std::string& text) {
    const std::vector<char> exact(text.begin(), text.end());
    model_dir::parse_model_config({exact.data(), exact.size()}, "file");
  });
}

// Without matching sums every flip is found, wherever it is.
TEST(EveryBit, IsSeenByTheSums) {
  Victim victim;
  for (const char* name : {"model.safetensors", "vocab.txt", "ranker.json", "config.json"}) {
    const std::string whole = victim.read(name);
    for (std::size_t byte = 0; byte < whole.size(); byte += whole.size() / 40 + 1) {
      std::string text = whole;
      text[byte] = static_cast<char>(text[byte] ^ 1);
      test::write_file(victim.file(name), text);
      EXPECT_FALSE(victim.loads()) << name << ' ' << byte;
    }
    test::write_file(victim.file(name), whole);
  }
  EXPECT_TRUE(victim.loads());
}

}  // namespace
}  // namespace diffie
