// Weights that are cut short, replaced or written over while a model is loaded or used: an Error,
// or other triples, never the end of the process.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include "corrupt/victim.h"
#include "diffie/lab/model_files.h"
#include "engine/same_results.h"

namespace diffie {
namespace {

using test::Victim;

constexpr std::string_view kSentence = "the s the, the s.";

Settings one_thread(const Model& model) {
  Settings settings = model.settings();
  settings.threads = 1;
  return settings;
}

// In place: the file stays the same one.
void overwrite(const std::filesystem::path& path, std::string_view bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file << bytes;
  ASSERT_TRUE(file.flush());
}

// Its numbers, behind the header.
std::size_t data_begin(const std::string& weights) {
  std::size_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(weights[i]);
  return 8 + length;
}

class ChangingWeights : public testing::Test {
 protected:
  void expect_cut(const Error& error) const {
    EXPECT_EQ(error.code(), ErrorCode::kCorruptModel);
    const std::string message = error.what();
    EXPECT_NE(message.find("model.safetensors: was cut short while it is used"), std::string::npos)
        << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }

  Victim victim_;
  std::filesystem::path weights_ = victim_.file("model.safetensors");
  std::string whole_ = victim_.read("model.safetensors");
};

// Loaded, and cut before its matrices are packed.
TEST_F(ChangingWeights, CutBeforeTheFirstExtractor) {
  int refused = 0;
  for (std::size_t size = 0; size < whole_.size(); size += 7) {
    test::write_file(weights_, whole_);
    const auto model = Model::load(victim_.path());
    std::filesystem::resize_file(weights_, size);
    const auto begin = std::chrono::steady_clock::now();
    try {
      const Extractor extractor(model, one_thread(*model));
      // Packed: nothing but the word embeddings is read now, and they may be whole.
    } catch (const Error& error) {
      expect_cut(error);
      ++refused;
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
    overwrite(weights_, whole_);  // as it was: the same model is used again
    EXPECT_FALSE(Extractor(model, one_thread(*model)).extract(kSentence).error.has_value());
    if (testing::Test::HasFailure()) FAIL() << size;
  }
  EXPECT_GT(refused, 100);
}

TEST_F(ChangingWeights, CutBetweenSentences) {
  const auto model = Model::load(victim_.path());
  const Extractor extractor(model, one_thread(*model));
  const SentenceResult before = extractor.extract(kSentence);
  ASSERT_FALSE(before.error.has_value());
  std::filesystem::resize_file(weights_, data_begin(whole_));
  const std::vector<std::string_view> sentences = {kSentence, "the s"};
  const auto begin = std::chrono::steady_clock::now();
  for (const SentenceResult& result : extractor.extract(sentences)) {
    ASSERT_TRUE(result.error.has_value());
    expect_cut({*result.error, result.error_message});
    EXPECT_TRUE(result.extractions.empty());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  overwrite(weights_, whole_);
  test::expect_same(extractor.extract(kSentence), before);
}

// Removed and replaced by renaming: the one that was loaded is used on.
TEST_F(ChangingWeights, ReplacedByRenaming) {
  const auto model = Model::load(victim_.path());
  const Extractor extractor(model, one_thread(*model));
  const SentenceResult before = extractor.extract(kSentence);
  test::write_file(victim_.file("new"), "other bytes");
  std::filesystem::rename(victim_.file("new"), weights_);
  test::expect_same(extractor.extract(kSentence), before);
  std::filesystem::remove_all(victim_.path());
  test::expect_same(extractor.extract(kSentence), before);
}

// Somebody cuts it and writes it again, all the time.
TEST_F(ChangingWeights, CutWhileItIsLoadedAndUsed) {
  std::atomic<bool> done = false;
  std::thread other([&] {
    std::mt19937 random(1);
    while (!done) {
      std::filesystem::resize_file(weights_, random() % whole_.size());
      std::this_thread::yield();
      overwrite(weights_, whole_);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000));
    }
  });
  int loaded = 0, refused = 0, extracted = 0;
  for (int round = 0; round < 1000 && (round < 100 || loaded < 5 || refused < 5); ++round) {
    try {
      const auto model = Model::load(victim_.path());
      ++loaded;
      const Extractor extractor(model, one_thread(*model));
      const SentenceResult result = extractor.extract(kSentence);
      if (result.error) throw Error(*result.error, result.error_message);
      ++extracted;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorruptModel) << error.what();
      ++refused;
    }
  }
  done = true;
  other.join();
  EXPECT_GT(loaded, 0);
  EXPECT_GT(refused, 0);
  RecordProperty("loaded", loaded);
  RecordProperty("refused", refused);
  RecordProperty("extracted", extracted);
}

// Numbers that no check has seen: what the networks do not bear is refused, anything else is used.
TEST_F(ChangingWeights, WrittenOverWithOtherNumbers) {
  const std::size_t begin = data_begin(whole_);
  const auto filled = [&](char byte) {
    return whole_.substr(0, begin) + std::string(whole_.size() - begin, byte);
  };
  const auto model = Model::load(victim_.path());
  const Extractor before(model, one_thread(*model));
  for (const char byte : {'\xff', '\x7f', '\0', '\x3c'}) {  // NaN, 3.4e38, 0, 0.012
    const bool refused = byte == '\xff' || byte == '\x7f';
    overwrite(weights_, whole_);
    const auto late = Model::load(victim_.path());
    overwrite(weights_, filled(byte));
    try {
      Extractor(late, one_thread(*late));
      EXPECT_FALSE(refused) << static_cast<int>(byte);
    } catch (const Error& error) {
      EXPECT_TRUE(refused) << error.what();
      EXPECT_NE(std::string(error.what()).find("was changed while it is used"), std::string::npos);
    }
    EXPECT_EQ(before.extract(kSentence).error.has_value(), refused) << static_cast<int>(byte);
  }
}

// Any bytes are int8 numbers; their scales are checked when they are read.
TEST_F(ChangingWeights, WrittenOverWithOtherInt8Numbers) {
  const std::filesystem::path dir = victim_.path().parent_path() / "int8";
  convert_model(victim_.path(), dir, WeightType::kI8);
  const std::filesystem::path weights = dir / "model.safetensors";
  const std::string whole = test::read_file(weights);
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    overwrite(weights, whole);
    const auto model = Model::load(dir);
    const Extractor before(model, one_thread(*model));
    std::string other = whole;
    for (std::size_t i = data_begin(whole); i < whole.size(); ++i)
      other[i] = static_cast<char>(random());
    overwrite(weights, other);
    EXPECT_FALSE(before.extract(kSentence).error.has_value());
    const auto fp32 = [&] {  // packs anew
      Settings settings = one_thread(*model);
      settings.precision = Precision::kFp32;
      return Extractor(model, settings).extract(kSentence);
    };
    EXPECT_THROW(fp32(), Error);
  }
}

}  // namespace
}  // namespace diffie
