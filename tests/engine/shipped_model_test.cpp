#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "diffie/extractor.h"
#include "diffie/lab/model_files.h"

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

}  // namespace
}  // namespace diffie
