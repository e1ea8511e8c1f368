#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "capi/capi_fixture.h"
#include "capi/plain_c.h"
#include "diffie/extractor.h"
#include "diffie/version.h"

namespace diffie::test {
namespace {

const std::vector<std::string> kTexts = {
    "Marie Curie discovered polonium in 1898.",
    "",
    "Caf\xC3\xA9 \xE2\x80\x94 na\xC3\xAFve \xE6\x9D\xB1\xE4\xBA\xAC works, bad \xFF bytes too.",
    std::string("zero \0 bytes stay where they are", 32),
    "He served as the first Prime Minister of Australia and became a founding justice.",
    "According to Anna, the Danube never froze.",
};

std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

void expect_spans(const diffie_span* spans, std::size_t count, const std::vector<Span>& wanted) {
  ASSERT_EQ(count, wanted.size());
  for (std::size_t index = 0; index < count; ++index) {
    EXPECT_EQ((Span{spans[index].begin, spans[index].end}), wanted[index]);
  }
}

std::string_view view(const diffie_text& text) {
  EXPECT_EQ(text.data[text.size], '\0');
  return {text.data, text.size};
}

void expect_same(const diffie_extraction& found, const Extraction& wanted) {
  EXPECT_EQ(view(found.subject), wanted.subject);
  EXPECT_EQ(view(found.relation), wanted.relation);
  EXPECT_EQ(view(found.object), wanted.object);
  EXPECT_EQ(found.confidence, wanted.confidence);
  expect_spans(found.subject_spans, found.subject_span_count, wanted.subject_spans);
  expect_spans(found.relation_spans, found.relation_span_count, wanted.relation_spans);
  expect_spans(found.object_spans, found.object_span_count, wanted.object_spans);
  ASSERT_EQ(found.implied_count, wanted.implied.size());
  for (std::size_t index = 0; index < found.implied_count; ++index) {
    EXPECT_EQ(view(found.implied[index]), wanted.implied[index]);
  }
  EXPECT_EQ(found.polarity, static_cast<int>(wanted.factuality.polarity));
  EXPECT_EQ(found.modality, static_cast<int>(wanted.factuality.modality));
  ASSERT_EQ(found.circumstance_count, wanted.circumstances.size());
  for (std::size_t index = 0; index < found.circumstance_count; ++index) {
    const diffie_circumstance& circumstance = found.circumstances[index];
    EXPECT_EQ(view(circumstance.text), wanted.circumstances[index].text);
    EXPECT_EQ(circumstance.kind, static_cast<int>(wanted.circumstances[index].kind));
    expect_spans(circumstance.spans, circumstance.span_count, wanted.circumstances[index].spans);
  }
  ASSERT_EQ(found.attributed_to.data != nullptr, wanted.factuality.attributed_to.has_value());
  if (!wanted.factuality.attributed_to) return;
  EXPECT_EQ(view(found.attributed_to), wanted.factuality.attributed_to->text);
  expect_spans(found.attributed_to_spans, found.attributed_to_span_count,
               wanted.factuality.attributed_to->spans);
}

// Returns how many triples there are.
std::size_t expect_same(const diffie_result* found, const std::vector<SentenceResult>& wanted) {
  std::size_t triples = 0;
  EXPECT_EQ(diffie_result_count(found), wanted.size());
  for (std::size_t sentence = 0; sentence < wanted.size(); ++sentence) {
    diffie_sentence about = {sizeof about, 0, nullptr, -1};
    EXPECT_EQ(diffie_result_sentence(found, sentence, &about), DIFFIE_OK);
    EXPECT_EQ(about.status, DIFFIE_OK);
    EXPECT_STREQ(about.error, "");
    EXPECT_EQ(about.extraction_count, wanted[sentence].extractions.size());
    for (std::size_t index = 0; index < wanted[sentence].extractions.size(); ++index, ++triples) {
      diffie_extraction triple = {};
      triple.struct_size = sizeof triple;
      EXPECT_EQ(diffie_result_extraction(found, sentence, index, &triple), DIFFIE_OK);
      expect_same(triple, wanted[sentence].extractions[index]);
    }
  }
  return triples;
}

Settings small_cpp_settings(const Model& model) {
  Settings settings = model.settings("paper");
  settings.samples = 24;
  settings.steps = 4;
  settings.threads = 2;
  return settings;
}

TEST_F(CapiTest, BatchIsWhatCppGives) {
  const ExtractorHandle extractor = small_extractor();
  std::vector<const char*> data;
  std::vector<std::size_t> sizes;
  for (const std::string& text : kTexts) {
    data.push_back(text.data());
    sizes.push_back(text.size());
  }
  diffie_result* raw = nullptr;
  ASSERT_EQ(
      diffie_extract_batch(extractor.get(), data.data(), sizes.data(), data.size(), nullptr, &raw),
      DIFFIE_OK);
  const ResultHandle result(raw);

  const auto cpp_model = Model::load(model_path());
  const Extractor cpp(cpp_model, small_cpp_settings(*cpp_model));
  EXPECT_GT(expect_same(result.get(), cpp.extract(views(kTexts))), 0u);
}

TEST_F(CapiTest, CircumstancesAreWhatCppGives) {
  const std::string text =
      "Beethoven was born in Bonn in 1770 and died in Vienna on 26 March 1827.";
  const SettingsHandle settings = small_settings();
  ASSERT_EQ(diffie_settings_set(settings.get(), "mark_circumstances", "true"), DIFFIE_OK);
  diffie_extractor* raw_extractor = nullptr;
  ASSERT_EQ(diffie_extractor_new(model(), settings.get(), &raw_extractor), DIFFIE_OK);
  const ExtractorHandle extractor(raw_extractor);
  diffie_result* raw = nullptr;
  ASSERT_EQ(diffie_extract(extractor.get(), text.data(), text.size(), &raw), DIFFIE_OK);
  const ResultHandle result(raw);

  const auto cpp_model = Model::load(model_path());
  Settings cpp_settings = small_cpp_settings(*cpp_model);
  cpp_settings.mark_circumstances = true;
  const SentenceResult wanted = Extractor(cpp_model, cpp_settings).extract(text);
  EXPECT_TRUE(std::any_of(wanted.extractions.begin(), wanted.extractions.end(),
                          [](const Extraction& each) { return !each.circumstances.empty(); }));
  EXPECT_GT(expect_same(result.get(), {wanted}), 0u);
}

// A program that was built with version 2 of the header has a smaller struct.
TEST_F(CapiTest, OlderProgramsGetTheFieldsTheyKnow) {
  const ExtractorHandle extractor = small_extractor();
  diffie_result* raw = nullptr;
  ASSERT_EQ(diffie_extract(extractor.get(), kTexts[4].data(), kTexts[4].size(), &raw), DIFFIE_OK);
  const ResultHandle result(raw);
  diffie_extraction triple = {};
  triple.struct_size = offsetof(diffie_extraction, circumstances);
  triple.circumstance_count = 77;
  ASSERT_EQ(diffie_result_extraction(result.get(), 0, 0, &triple), DIFFIE_OK);
  EXPECT_GT(triple.subject.size, 0u);
  EXPECT_EQ(triple.circumstance_count, 77u);
}

TEST_F(CapiTest, OneSentenceAndZeroEndedOnesAreTheSame) {
  const ExtractorHandle extractor = small_extractor();
  const auto cpp_model = Model::load(model_path());
  const Extractor cpp(cpp_model, small_cpp_settings(*cpp_model));

  diffie_result* raw = nullptr;
  ASSERT_EQ(diffie_extract(extractor.get(), kTexts[4].data(), kTexts[4].size(), &raw), DIFFIE_OK);
  const ResultHandle one(raw);
  EXPECT_GT(expect_same(one.get(), {cpp.extract(kTexts[4])}), 0u);

  const std::array data = {kTexts[0].c_str(), kTexts[4].c_str()};
  ASSERT_EQ(diffie_extract_batch(extractor.get(), data.data(), nullptr, 2, nullptr, &raw),
            DIFFIE_OK);
  const ResultHandle two(raw);
  EXPECT_GT(expect_same(two.get(), {cpp.extract(kTexts[0]), cpp.extract(kTexts[4])}), 0u);
}

TEST_F(CapiTest, NoSentencesAreNoError) {
  const ExtractorHandle extractor = small_extractor();
  diffie_result* raw = nullptr;
  ASSERT_EQ(diffie_extract_batch(extractor.get(), nullptr, nullptr, 0, nullptr, &raw), DIFFIE_OK);
  EXPECT_EQ(diffie_result_count(raw), 0u);
  diffie_result_free(raw);
  ASSERT_EQ(diffie_extract(extractor.get(), nullptr, 0, &raw), DIFFIE_OK);
  EXPECT_EQ(diffie_result_count(raw), 1u);
  diffie_result_free(raw);
}

TEST_F(CapiTest, HandlesOutliveTheModelTheyCameFrom) {
  diffie_model* loaded = nullptr;
  ASSERT_EQ(diffie_model_load(model_path().c_str(), &loaded), DIFFIE_OK);
  diffie_extractor* raw_extractor = nullptr;
  ASSERT_EQ(diffie_extractor_new(loaded, small_settings().get(), &raw_extractor), DIFFIE_OK);
  diffie_model_free(loaded);
  const ExtractorHandle extractor(raw_extractor);
  diffie_result* raw = nullptr;
  ASSERT_EQ(diffie_extract(extractor.get(), kTexts[0].data(), kTexts[0].size(), &raw), DIFFIE_OK);
  diffie_result_free(raw);
}

TEST_F(CapiTest, ModelTellsAboutItself) {
  const auto cpp = Model::load(model_path());
  EXPECT_EQ(diffie_model_name(model()), cpp->name());
  EXPECT_EQ(diffie_model_trained(model()), 0);
  EXPECT_EQ(diffie_model_default_preset(model()), cpp->default_preset());
  std::vector<std::string> presets;
  for (std::size_t index = 0; index < diffie_model_preset_count(model()); ++index) {
    presets.emplace_back(diffie_model_preset_name(model(), index));
  }
  EXPECT_EQ(presets, cpp->preset_names());
  EXPECT_STREQ(diffie_model_preset_name(model(), presets.size()), "");
}

TEST(Capi, SplitsIntoTheSameSentences) {
  const std::string text = "  Dr. Smith left. She stayed!\n\nA caf\xC3\xA9 opened. ";
  diffie_span* spans = nullptr;
  std::size_t count = 0;
  ASSERT_EQ(diffie_split_sentences(text.data(), text.size(), &spans, &count), DIFFIE_OK);
  expect_spans(spans, count, split_sentences(text));
  EXPECT_EQ(count, 3u);
  diffie_spans_free(spans);
  ASSERT_EQ(diffie_split_sentences(nullptr, 0, &spans, &count), DIFFIE_OK);
  EXPECT_EQ(spans, nullptr);
  EXPECT_EQ(count, 0u);
}

TEST(Capi, Versions) {
  EXPECT_STREQ(diffie_version(), version());
  EXPECT_EQ(diffie_c_version(), DIFFIE_C_VERSION);
}

TEST(Capi, IsPlainC) {
  std::array<char, 256> out = {};
  ASSERT_EQ(first_triple_in_c(DIFFIE_SOURCE_DIR "/models/small",
                              "Marie Curie discovered polonium in 1898.", out.data(), out.size()),
            0)
      << out.data();
  EXPECT_STREQ(out.data(), "Marie Curie | discovered | polonium");
}

}  // namespace
}  // namespace diffie::test
