#include "input.h"

#include <gtest/gtest.h>

#include <string>

#include "temp_dir.h"

namespace diffie::cli {
namespace {

class Reader : public ::testing::Test {
 protected:
  InputReader open(const std::string& text, InputMode mode = InputMode::kDocuments) {
    test::write_file(temp_ / "text.txt", text);
    InputOptions options;
    options.files = {temp_ / "text.txt"};
    options.mode = mode;
    return {options, diagnostics_};
  }

  test::TempDir temp_;
  Diagnostics diagnostics_;
};

std::size_t sentence_bytes(const std::vector<InputStep>& steps) {
  std::size_t bytes = 0;
  for (const InputStep& step : steps) {
    if (step.kind == InputStep::Kind::kSentence) bytes += step.text.size();
  }
  return bytes;
}

// So that a batch is done, and printed, after a second or two.
TEST_F(Reader, BatchesOfLongSentencesAreSmall) {
  std::string text;
  while (text.size() < 300'000) text += "words without an end and ";
  InputReader reader = open(text);
  std::size_t batches = 0;
  std::size_t bytes = 0;
  for (auto steps = reader.next(64); !steps.empty(); steps = reader.next(64), ++batches) {
    EXPECT_LE(sentence_bytes(steps), 20'000U);  // one, or many of 64 * 256 bytes together
    bytes += sentence_bytes(steps);
  }
  EXPECT_GE(batches, text.size() / 20'000);
  EXPECT_GT(bytes, text.size() - 100);
}

TEST_F(Reader, ALineLongerThanABatchIsOneAlone) {
  InputReader reader = open("short\n" + std::string(100'000, 'x') + "\nshort\n", InputMode::kLines);
  EXPECT_EQ(sentence_bytes(reader.next(8)), 5U);
  EXPECT_EQ(sentence_bytes(reader.next(8)), 100'000U);
  EXPECT_EQ(sentence_bytes(reader.next(8)), 5U);
}

TEST_F(Reader, ShortSentencesComeAsManyAsAskedFor) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "A cat sat on the mat.\n";
  InputReader reader = open(text, InputMode::kLines);
  EXPECT_EQ(sentence_bytes(reader.next(64)), 64U * 21);
}

TEST_F(Reader, LittleOfALongGapIsTakenAtOnce) {
  const std::string gap(3'000'000, '\n');
  InputReader reader = open("One is here." + gap + "Two is here." + gap);
  std::size_t bytes = 0;
  std::size_t sentences = 0;
  for (auto steps = reader.next(32); !steps.empty(); steps = reader.next(32)) {
    std::size_t at_once = 0;
    for (const InputStep& step : steps) {
      at_once += step.text_bytes();
      if (step.kind == InputStep::Kind::kSentence) ++sentences;
    }
    EXPECT_LE(at_once, 4 * SentenceCutter::kMaxGapBytes);
    bytes += at_once;
  }
  EXPECT_EQ(sentences, 2U);
  EXPECT_EQ(bytes, 2 * gap.size() + 24);
}

TEST_F(Reader, WhatIsDoneIsNotWhatIsRead) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "A cat sat on the mat.\n";
  InputReader reader = open(text, InputMode::kLines);
  ASSERT_EQ(reader.bytes_total(), text.size());
  EXPECT_EQ(reader.bytes_done(0), 0U);
  std::uint64_t done = 0;
  for (const InputStep& step : reader.next(50)) done += step.text_bytes();
  EXPECT_NEAR(static_cast<double>(reader.bytes_done(done)), static_cast<double>(text.size()) / 2,
              30);
  for (auto steps = reader.next(50); !steps.empty(); steps = reader.next(50)) {
    for (const InputStep& step : steps) done += step.text_bytes();
  }
  EXPECT_EQ(reader.bytes_done(done), text.size());
}

}  // namespace
}  // namespace diffie::cli
