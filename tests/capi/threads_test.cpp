#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "capi/capi_fixture.h"

namespace diffie::test {
namespace {

std::string triples_of(const diffie_extractor* extractor, const std::string& text) {
  diffie_result* raw = nullptr;
  if (diffie_extract(extractor, text.data(), text.size(), &raw) != DIFFIE_OK) {
    return diffie_last_error();
  }
  const ResultHandle result(raw);
  diffie_sentence sentence = {sizeof sentence, 0, nullptr, 0};
  diffie_result_sentence(result.get(), 0, &sentence);
  std::string all;
  for (std::size_t index = 0; index < sentence.extraction_count; ++index) {
    diffie_extraction triple = {};
    triple.struct_size = sizeof triple;
    diffie_result_extraction(result.get(), 0, index, &triple);
    all += std::string(triple.subject.data) + '|' + triple.relation.data + '|' +
           triple.object.data + ' ' + std::to_string(triple.confidence) + '\n';
  }
  return all;
}

TEST_F(CapiTest, OneExtractorServesManyThreads) {
  const ExtractorHandle extractor = small_extractor();
  const std::vector<std::string> texts = {"Marie Curie discovered polonium in 1898.",
                                          "The Danube flows through ten countries.",
                                          "He became a founding justice of Australia.", "One."};
  std::vector<std::string> alone;
  for (const std::string& text : texts) alone.push_back(triples_of(extractor.get(), text));
  EXPECT_NE(alone[0], "");

  constexpr std::size_t kThreads = 16;
  std::vector<std::string> together(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t index = 0; index < kThreads; ++index) {
      threads.emplace_back([&, index] {
        together[index] = triples_of(extractor.get(), texts[index % texts.size()]);
      });
    }
  }
  for (std::size_t index = 0; index < kThreads; ++index) {
    EXPECT_EQ(together[index], alone[index % texts.size()]);
  }
}

TEST_F(CapiTest, StopEndsACallFromAnotherThread) {
  const ExtractorHandle extractor = small_extractor();
  diffie_stop* raw_stop = nullptr;
  ASSERT_EQ(diffie_stop_new(&raw_stop), DIFFIE_OK);
  const StopHandle stop(raw_stop);
  // Far more work than one second holds.
  const std::vector<const char*> texts(200'000, "Marie Curie discovered polonium in 1898.");
  const auto extract = [&](std::size_t count) {
    diffie_result* raw = nullptr;
    const diffie_status status =
        diffie_extract_batch(extractor.get(), texts.data(), nullptr, count, stop.get(), &raw);
    EXPECT_EQ(raw == nullptr, status != DIFFIE_OK);
    diffie_result_free(raw);
    return status;
  };
  EXPECT_EQ(extract(1), DIFFIE_OK);
  const std::jthread asks([&] { diffie_stop_request(stop.get()); });
  EXPECT_EQ(extract(texts.size()), DIFFIE_CANCELLED);
  EXPECT_EQ(extract(1), DIFFIE_CANCELLED) << "a later call, too";
}

TEST_F(CapiTest, EveryThreadHasItsOwnMessage) {
  diffie_model* model = nullptr;
  ASSERT_EQ(diffie_model_load("/no/such/model", &model), DIFFIE_NOT_FOUND);
  const std::string ours = diffie_last_error();
  std::string before;
  std::string after;
  std::jthread([&] {
    before = diffie_last_error();
    diffie_setting_describe(1000, nullptr);
    after = diffie_last_error();
  }).join();
  EXPECT_EQ(before, "");
  EXPECT_EQ(after, "info is NULL");
  EXPECT_EQ(diffie_last_error(), ours);
}

}  // namespace
}  // namespace diffie::test
