#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "diffie/extractor.h"
#include "diffie/lab/model_files.h"
#include "engine/same_results.h"

namespace diffie {
namespace {

const std::filesystem::path kSmall = DIFFIE_SOURCE_DIR "/models/small";

TEST(ShippedModel, SmallIsWhole) {
  EXPECT_EQ(verify_model(kSmall), std::vector<std::string>{});
  EXPECT_TRUE(Model::load(kSmall)->trained());
}

TEST(ShippedModel, SmallFindsPlainFacts) {
  const Extractor extractor(Model::load(kSmall));
  const auto found = [&](std::string_view sentence, const std::string& triple) {
    const SentenceResult result = extractor.extract(sentence);
    return std::any_of(result.extractions.begin(), result.extractions.end(), [&](const auto& e) {
      return e.subject + " | " + e.relation + " | " + e.object == triple;
    });
  };
  EXPECT_TRUE(
      found("Marie Curie discovered polonium in 1898.", "Marie Curie | discovered | polonium"));
  EXPECT_TRUE(found("The Danube flows through ten countries.",
                    "The Danube | flows through | ten countries"));
}

// Nothing is left of a denial, a question and an order, all of a fact.
TEST(ShippedModel, AssertedOnlyLeavesFacts) {
  const auto model = Model::load(kSmall);
  Settings settings = model->settings();
  const Extractor all(model, settings);
  settings.asserted_only = true;
  const Extractor asserted(model, settings);
  for (const char* sentence :
       {"The committee did not accept the proposal.", "Did Marie Curie discover polonium?",
        "Please send the signed contract to our office."}) {
    EXPECT_FALSE(all.extract(sentence).extractions.empty()) << sentence;
    EXPECT_TRUE(asserted.extract(sentence).extractions.empty()) << sentence;
  }
  const char* const fact = "Marie Curie discovered polonium in 1898.";
  EXPECT_EQ(asserted.extract(fact).extractions.size(), all.extract(fact).extractions.size());
}

std::string quoted(std::string_view text, const std::vector<Span>& spans) {
  std::string joined;
  for (const Span& span : spans) {
    if (!joined.empty()) joined += ' ';
    joined += text.substr(span.begin, span.end - span.begin);
  }
  return joined;
}

// In any batch the same, and every span quotes the text.
TEST(ShippedModel, ReshapedTriplesKeepTheirPromises) {
  const auto model = Model::load(kSmall);
  Settings settings = model->settings();
  settings.split_coordination = settings.drop_contained = true;
  settings.skip_pronouns = settings.mark_circumstances = true;
  const Extractor extractor(model, settings);
  const std::vector<std::string_view> texts = {
      "Marie and Pierre Curie discovered polonium and radium in Paris in 1898.",
      "He and his wife visited Berlin, Vienna and Prague last summer.",
      "The old king, who ruled Spain for ten years, died in exile.",
      "The firm sells cars, trucks and buses in France and in Germany.",
      "It was built by the Romans between 100 and 120 AD.",
  };
  const std::vector<SentenceResult> together = extractor.extract(texts);
  std::size_t triples = 0;
  for (std::size_t index = 0; index < texts.size(); ++index) {
    test::expect_same(together[index], extractor.extract(texts[index]));
    for (const Extraction& each : together[index].extractions) {
      ++triples;
      EXPECT_EQ(quoted(texts[index], each.subject_spans), each.subject);
      EXPECT_EQ(quoted(texts[index], each.object_spans), each.object);
      EXPECT_FALSE(each.subject.empty() || each.relation.empty() || each.object.empty());
      for (const Circumstance& circumstance : each.circumstances)
        EXPECT_EQ(quoted(texts[index], circumstance.spans), circumstance.text);
    }
  }
  EXPECT_GT(triples, 10u);
}

TEST(ShippedModel, CoordinatedArgumentsAreFourTriples) {
  const auto model = Model::load(kSmall);
  Settings settings = model->settings();
  settings.split_coordination = settings.drop_contained = true;
  const char* const sentence = "Marie and Pierre Curie discovered polonium and radium.";
  std::vector<std::string> found;
  for (const Extraction& each : Extractor(model, settings).extract(sentence).extractions)
    found.push_back(each.subject + " | " + each.relation + " | " + each.object);
  for (const char* wanted :
       {"Marie Curie | discovered | polonium", "Marie Curie | discovered | radium",
        "Pierre Curie | discovered | polonium", "Pierre Curie | discovered | radium"}) {
    EXPECT_NE(std::find(found.begin(), found.end(), wanted), found.end()) << wanted;
  }
}

}  // namespace
}  // namespace diffie
