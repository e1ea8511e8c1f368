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
  EXPECT_TRUE(found("Marie Curie discovered polonium in 1898.",
                    "Marie Curie | discovered | polonium in 1898"));
  EXPECT_TRUE(found("The Danube flows through ten countries.",
                    "The Danube | flows through | ten countries"));
}

}  // namespace
}  // namespace diffie
