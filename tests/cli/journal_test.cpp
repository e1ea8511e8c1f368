#include "journal.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>

#include "checksums/sha256.h"
#include "expect_error.h"
#include "result_record.h"
#include "temp_dir.h"

namespace {

using namespace diffie;

constexpr std::string_view kSentence = "The cat sat.";
constexpr const char* kRun = "model m\n";

SentenceResult some_result() {
  Extraction triple;
  triple.subject = "The cat";
  triple.relation = "sat";
  triple.confidence = 0.5;
  triple.subject_spans = {{0, 7}};
  triple.relation_spans = {{8, 11}};
  triple.factuality = {Polarity::kNegative, Modality::kConditional, Attribution{"cat", {{4, 7}}}};
  triple.circumstances = {{CircumstanceKind::kPlace, "cat", {{4, 7}}}};
  SentenceResult result;
  result.extractions = {triple};
  result.error = ErrorCode::kExhausted;
  return result;
}

// A journal with one sentence whose sum is right, whatever it says.
class JournalFile : public ::testing::Test {
 protected:
  void write(const SentenceResult& result) {
    cli::Journal journal(path_, kRun);
    journal.append({&kSentence, 1}, {&result, 1});
  }

  // Breaks the last record and seals it again.
  void overwrite(std::size_t at, std::string_view bytes) {
    std::string file = test::read_file(path_);
    const std::size_t payload = file.size() - record_bytes();
    file.replace(payload + sizeof(std::uint64_t) + at, bytes.size(), bytes);
    const std::string_view sealed = std::string_view(file).substr(payload);
    const std::string sum = checksums::sha256(std::as_bytes(std::span(sealed))).substr(0, 16);
    file.replace(payload - sum.size(), sum.size(), sum);
    test::write_file(path_, file);
  }

  static std::size_t record_bytes() {
    std::string bytes;
    cli::append_record(bytes, some_result());
    return sizeof(std::uint64_t) + bytes.size();
  }

  std::optional<SentenceResult> replayed() {
    cli::Journal journal(path_, kRun);
    return journal.replay(kSentence);
  }

  test::TempDir dir_;
  std::filesystem::path path_ = dir_ / "out.journal";
};

TEST_F(JournalFile, ReplaysWhatWasAppended) {
  write(some_result());
  const std::optional<SentenceResult> result = replayed();
  ASSERT_TRUE(result);
  std::string then, now;
  cli::append_record(then, some_result());
  cli::append_record(now, *result);
  EXPECT_EQ(then, now);
}

TEST_F(JournalFile, RefusesSpansOutsideTheSentence) {
  for (const Span span : {Span{0, kSentence.size() + 1}, Span{5, 5}, Span{6, 2}}) {
    for (int where = 0; where < 5; ++where) {
      SentenceResult result = some_result();
      Extraction& triple = result.extractions[0];
      std::vector<Span>* const spans[] = {
          &triple.subject_spans, &triple.relation_spans, &triple.object_spans,
          &triple.factuality.attributed_to->spans, &triple.circumstances[0].spans};
      *spans[where] = {span};
      std::filesystem::remove(path_);
      write(result);
      EXPECT_ERROR(replayed(), ErrorCode::kBadInput, "sentence 1");
    }
  }
}

TEST_F(JournalFile, RefusesConfidencesThatAreNone) {
  for (const double confidence : {0.0, -1.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    SentenceResult result = some_result();
    result.extractions[0].confidence = confidence;
    std::filesystem::remove(path_);
    write(result);
    EXPECT_ERROR(replayed(), ErrorCode::kBadInput, "sentence 1");
  }
}

// Each byte of a record in turn becomes 7: no enumeration has that many values but ErrorCode.
TEST_F(JournalFile, WhatIsReplayedHasValuesThatThereAre) {
  for (std::size_t at = 0; at < record_bytes() - sizeof(std::uint64_t); ++at) {
    std::filesystem::remove(path_);
    write(some_result());
    overwrite(at, "\x07");
    try {
      const std::optional<SentenceResult> result = replayed();
      ASSERT_TRUE(result);
      ASSERT_EQ(result->extractions.size(), 1u);
      const Extraction& triple = result->extractions[0];
      EXPECT_LE(triple.factuality.polarity, Polarity::kNegative) << at;
      EXPECT_LE(triple.factuality.modality, Modality::kConditional) << at;
      for (const Circumstance& each : triple.circumstances)
        EXPECT_LE(each.kind, CircumstanceKind::kPlace) << at;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput) << at;
    }
  }
}

// The size that a record says is not believed: a GiB would not fit into this.
TEST_F(JournalFile, TakesNoMemoryForBytesThatAreNotThere) {
  write(some_result());
  const std::string whole = test::read_file(path_);
  std::string torn = whole;
  const std::uint64_t size = std::uint64_t{1} << 30;
  torn.append(reinterpret_cast<const char*>(&size), sizeof size).append(16 + 100, 'x');
  test::write_file(path_, torn);
  rusage before{};
  ::getrusage(RUSAGE_SELF, &before);
  EXPECT_TRUE(replayed());
  {
    cli::Journal journal(path_, kRun);
    EXPECT_TRUE(journal.replay(kSentence));
    EXPECT_FALSE(journal.replay("Next."));
  }
  rusage after{};
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 << 10);  // kB
  EXPECT_EQ(test::read_file(path_), whole);
}

}  // namespace
