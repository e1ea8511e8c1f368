#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <new>

#include "capi/capi_fixture.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "diffie/error.h"

namespace diffie::test {
namespace {

using ::testing::HasSubstr;

template <typename Handle>
Handle* wild() {
  static char somewhere;
  return reinterpret_cast<Handle*>(&somewhere);
}

#define EXPECT_REFUSED(call, message)       \
  EXPECT_EQ(call, DIFFIE_INVALID_ARGUMENT); \
  EXPECT_THAT(diffie_last_error(), HasSubstr(message))

TEST_F(CapiTest, NullIsRefusedByName) {
  const ExtractorHandle extractor = small_extractor();
  const SettingsHandle settings = small_settings();
  const char* value = "";
  const char* texts[] = {"One.", nullptr};
  const std::size_t sizes[] = {4, 1};
  std::size_t count = 7;
  diffie_span* spans = wild<diffie_span>();

  auto* model_out = wild<diffie_model>();
  EXPECT_REFUSED(diffie_model_load(nullptr, &model_out), "name_or_path is NULL");
  EXPECT_EQ(model_out, nullptr);
  EXPECT_REFUSED(diffie_model_load("small", nullptr), "model is NULL");

  auto* settings_out = wild<diffie_settings>();
  EXPECT_REFUSED(diffie_settings_new(nullptr, nullptr, &settings_out), "model is NULL");
  EXPECT_EQ(settings_out, nullptr);
  EXPECT_REFUSED(diffie_settings_new(model(), nullptr, nullptr), "settings is NULL");
  EXPECT_REFUSED(diffie_settings_set(nullptr, "seed", "1"), "settings is NULL");
  EXPECT_REFUSED(diffie_settings_set(settings.get(), nullptr, "1"), "name is NULL");
  EXPECT_REFUSED(diffie_settings_set(settings.get(), "seed", nullptr), "value is NULL");
  EXPECT_REFUSED(diffie_settings_get(nullptr, "seed", &value), "settings is NULL");
  EXPECT_EQ(value, nullptr);
  EXPECT_REFUSED(diffie_settings_get(settings.get(), nullptr, &value), "name is NULL");
  EXPECT_REFUSED(diffie_settings_get(settings.get(), "seed", nullptr), "value is NULL");
  EXPECT_REFUSED(diffie_setting_describe(0, nullptr), "info is NULL");

  auto* extractor_out = wild<diffie_extractor>();
  EXPECT_REFUSED(diffie_extractor_new(nullptr, nullptr, &extractor_out), "model is NULL");
  EXPECT_EQ(extractor_out, nullptr);
  EXPECT_REFUSED(diffie_extractor_new(model(), nullptr, nullptr), "extractor is NULL");

  auto* result_out = wild<diffie_result>();
  EXPECT_REFUSED(diffie_extract(nullptr, "a", 1, &result_out), "extractor is NULL");
  EXPECT_EQ(result_out, nullptr);
  EXPECT_REFUSED(diffie_extract(extractor.get(), nullptr, 1, &result_out), "sentence is NULL");
  EXPECT_REFUSED(diffie_extract(extractor.get(), "a", 1, nullptr), "result is NULL");
  EXPECT_REFUSED(diffie_extract_batch(nullptr, texts, nullptr, 1, nullptr, &result_out),
                 "extractor is NULL");
  EXPECT_REFUSED(diffie_extract_batch(extractor.get(), nullptr, nullptr, 1, nullptr, &result_out),
                 "sentences is NULL");
  EXPECT_REFUSED(diffie_extract_batch(extractor.get(), texts, nullptr, 2, nullptr, &result_out),
                 "sentences[1] is NULL");
  EXPECT_REFUSED(diffie_extract_batch(extractor.get(), texts, sizes, 2, nullptr, &result_out),
                 "sentences[1] is NULL");
  EXPECT_REFUSED(diffie_extract_batch(extractor.get(), texts, nullptr, 1, nullptr, nullptr),
                 "result is NULL");

  EXPECT_REFUSED(diffie_stop_new(nullptr), "stop is NULL");
  EXPECT_REFUSED(diffie_split_sentences(nullptr, 1, &spans, &count), "text is NULL");
  EXPECT_EQ(spans, nullptr);
  EXPECT_EQ(count, 0u);
  count = 7;
  EXPECT_REFUSED(diffie_split_sentences("a", 1, nullptr, &count), "spans is NULL");
  EXPECT_EQ(count, 0u);
  EXPECT_REFUSED(diffie_split_sentences("a", 1, &spans, nullptr), "count is NULL");
}

TEST_F(CapiTest, SizesOfMinusOneAreRefused) {
  const ExtractorHandle extractor = small_extractor();
  const char* texts[] = {"One.", "Two."};
  const std::size_t sizes[] = {4, SIZE_MAX};
  diffie_result* result = nullptr;
  EXPECT_REFUSED(diffie_extract(extractor.get(), "a", SIZE_MAX, &result),
                 "size is 1844674407370955");
  EXPECT_REFUSED(diffie_extract_batch(extractor.get(), texts, sizes, 2, nullptr, &result),
                 "sizes[1] is 1844674407370955");
  EXPECT_REFUSED(diffie_extract_batch(extractor.get(), texts, nullptr, SIZE_MAX, nullptr, &result),
                 "count is 1844674407370955");
  EXPECT_EQ(result, nullptr);
  diffie_span* spans = nullptr;
  std::size_t count = 7;
  EXPECT_REFUSED(diffie_split_sentences("a", SIZE_MAX, &spans, &count), "size is 1844674407370955");
  EXPECT_EQ(spans, nullptr);
  EXPECT_EQ(count, 0u);
}

TEST(Capi, NullHandlesHaveNothing) {
  EXPECT_STREQ(diffie_model_name(nullptr), "");
  EXPECT_STREQ(diffie_model_default_preset(nullptr), "");
  EXPECT_STREQ(diffie_model_preset_name(nullptr, 0), "");
  EXPECT_EQ(diffie_model_preset_count(nullptr), 0u);
  EXPECT_EQ(diffie_model_trained(nullptr), 0);
  EXPECT_EQ(diffie_result_count(nullptr), 0u);
  diffie_sentence sentence = {sizeof sentence, 0, nullptr, 0};
  EXPECT_REFUSED(diffie_result_sentence(nullptr, 0, &sentence), "result is NULL");
  diffie_extraction triple = {};
  EXPECT_REFUSED(diffie_result_extraction(nullptr, 0, 0, &triple), "result is NULL");
  diffie_model_free(nullptr);
  diffie_settings_free(nullptr);
  diffie_extractor_free(nullptr);
  diffie_result_free(nullptr);
  diffie_stop_request(nullptr);
  diffie_stop_free(nullptr);
  diffie_spans_free(nullptr);
}

TEST(Capi, MissingAndBrokenModelsHaveTheirStatus) {
  diffie_model* model = nullptr;
  EXPECT_EQ(diffie_model_load("/no/such/model", &model), DIFFIE_NOT_FOUND);
  EXPECT_THAT(diffie_last_error(), HasSubstr("/no/such/model"));
  EXPECT_EQ(diffie_model_load("no-such-name", &model), DIFFIE_NOT_FOUND);
  EXPECT_EQ(diffie_model_load("two\nlines\xFF", &model), DIFFIE_NOT_FOUND);
  EXPECT_THAT(diffie_last_error(), HasSubstr("'two\\x0alines\uFFFD': no such directory"));
  const TempDir temp;
  write_file(temp / "config.json", "{");
  EXPECT_EQ(diffie_model_load(temp.path().c_str(), &model), DIFFIE_CORRUPT_MODEL);
  EXPECT_THAT(diffie_last_error(), HasSubstr("config.json"));
}

class ResultStructs : public CapiTest {
 protected:
  void SetUp() override {
    const std::string text = "He served as the first Prime Minister of Australia.";
    diffie_result* raw = nullptr;
    ASSERT_EQ(diffie_extract(small_extractor().get(), text.data(), text.size(), &raw), DIFFIE_OK);
    result_.reset(raw);
  }
  ResultHandle result_;
};

TEST(Capi, FailedSentenceHasItsStatusAndMessage) {
  diffie_result result;
  SentenceResult failed;
  failed.error = ErrorCode::kExhausted;
  failed.error_message = "too much";
  result.sentences.push_back(capi::make_sentence(failed));
  result.sentences.push_back(capi::make_sentence({}));
  diffie_sentence sentence = {sizeof sentence, 0, nullptr, 0};
  ASSERT_EQ(diffie_result_sentence(&result, 0, &sentence), DIFFIE_OK);
  EXPECT_EQ(sentence.status, DIFFIE_EXHAUSTED);
  EXPECT_STREQ(sentence.error, "too much");
  ASSERT_EQ(diffie_result_sentence(&result, 1, &sentence), DIFFIE_OK);
  EXPECT_EQ(sentence.status, DIFFIE_OK);
  EXPECT_STREQ(sentence.error, "");
}

TEST_F(ResultStructs, IndexOutOfRangeIsRefused) {
  diffie_sentence sentence = {sizeof sentence, 0, nullptr, 0};
  ASSERT_EQ(diffie_result_sentence(result_.get(), 0, &sentence), DIFFIE_OK);
  EXPECT_REFUSED(diffie_result_sentence(result_.get(), 1, &sentence), "sentence is 1");
  diffie_extraction triple = {};
  triple.struct_size = sizeof triple;
  EXPECT_REFUSED(diffie_result_extraction(result_.get(), 0, sentence.extraction_count, &triple),
                 "index is");
  EXPECT_REFUSED(diffie_result_extraction(result_.get(), SIZE_MAX, 0, &triple), "sentence is");
}

TEST_F(ResultStructs, SizesThatCannotBeAreRefused) {
  diffie_sentence sentence = {};
  for (const std::size_t size : {std::size_t{0}, std::size_t{8}, std::size_t{5000}, SIZE_MAX}) {
    sentence.struct_size = size;
    EXPECT_REFUSED(diffie_result_sentence(result_.get(), 0, &sentence), "struct_size is");
    EXPECT_EQ(sentence.extraction_count, 0u);
  }
}

// A caller of tomorrow: what this library does not know is zero, nothing is written behind it.
TEST_F(ResultStructs, LargerStructIsFilledAndItsRestZeroed) {
  struct Later {
    diffie_sentence known;
    std::uint64_t added;
    std::uint64_t behind;
  } later;
  std::memset(static_cast<void*>(&later), 0xAB, sizeof later);
  later.known.struct_size = offsetof(Later, behind);
  ASSERT_EQ(diffie_result_sentence(result_.get(), 0, &later.known), DIFFIE_OK);
  EXPECT_EQ(later.known.struct_size, offsetof(Later, behind));
  EXPECT_EQ(later.known.status, DIFFIE_OK);
  EXPECT_GT(later.known.extraction_count, 0u);
  EXPECT_EQ(later.added, 0u);
  EXPECT_EQ(later.behind, 0xABABABABABABABABu);
}

// A caller of yesterday, whose struct ends earlier than ours.
TEST(Capi, SmallerStructIsFilledAsFarAsItReaches) {
  struct Fields {
    std::size_t struct_size;
    std::uint64_t old_field;
    std::uint64_t new_field;
  } out = {16, 1, 2};
  capi::fill(&out, Fields{0, 10, 20}, 16);
  EXPECT_EQ(out.struct_size, 16u);
  EXPECT_EQ(out.old_field, 10u);
  EXPECT_EQ(out.new_field, 2u);
}

TEST(Capi, EveryExceptionBecomesAStatus) {
  EXPECT_EQ(capi::guarded([] { throw std::bad_alloc(); }), DIFFIE_EXHAUSTED);
  EXPECT_STREQ(diffie_last_error(), "out of memory");
  EXPECT_EQ(capi::guarded([] { throw std::length_error("too long"); }), DIFFIE_INTERNAL);
  EXPECT_STREQ(diffie_last_error(), "too long");
  EXPECT_EQ(capi::guarded([] { throw 7; }), DIFFIE_INTERNAL);
  EXPECT_EQ(capi::guarded([] { throw Error(ErrorCode::kCancelled, "stop"); }), DIFFIE_CANCELLED);
  EXPECT_EQ(capi::guarded([] { throw Error(ErrorCode::kBadInput, "bad"); }), DIFFIE_BAD_INPUT);
  EXPECT_STREQ(diffie_last_error(), "bad");
  EXPECT_EQ(capi::guarded([] {}), DIFFIE_OK);
  EXPECT_STREQ(diffie_last_error(), "bad") << "success must leave the message alone";
}

TEST(Capi, LongMessagesAreCutBetweenCharacters) {
  std::string message(1022, 'x');
  message += "\xC3\xA9\xC3\xA9";
  capi::guarded([&] { throw Error(ErrorCode::kBadInput, message); });
  EXPECT_EQ(std::string(diffie_last_error()), std::string(1022, 'x'));
}

TEST(Capi, StatusesHaveNames) {
  EXPECT_STREQ(diffie_status_name(DIFFIE_OK), "ok");
  EXPECT_STREQ(diffie_status_name(DIFFIE_INVALID_ARGUMENT), "invalid argument");
  EXPECT_STREQ(diffie_status_name(DIFFIE_INTERNAL), "internal error");
  EXPECT_STREQ(diffie_status_name(99), "unknown error");
  EXPECT_STREQ(diffie_status_name(-1), "unknown error");
  EXPECT_STREQ(diffie_status_name(INT32_MIN), "unknown error");
}

}  // namespace
}  // namespace diffie::test
