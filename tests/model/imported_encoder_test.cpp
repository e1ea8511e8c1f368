// The real encoders against Hugging Face's BertModel, on slices made by
// scripts/encoder/encoder_parity.py --slice. DIFFIE_ENCODERS names a directory with one imported
// encoder per subdirectory; without it there is nothing to test.
#include "imported_encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "golden.h"
#include "model/encoder.h"
#include "temp_dir.h"

namespace diffie::model {
namespace {

class ImportedEncoderTest : public testing::TestWithParam<const char*> {};

TEST_P(ImportedEncoderTest, AgreesWithBertModel) {
  const char* encoders = std::getenv("DIFFIE_ENCODERS");
  if (encoders == nullptr) GTEST_SKIP() << "DIFFIE_ENCODERS is not set";
  const std::filesystem::path dir = std::filesystem::path(encoders) / GetParam();
  if (!std::filesystem::exists(dir)) GTEST_SKIP() << dir << " is absent";

  const test::TempDir work;
  const BertEncoder encoder(open_imported_encoder(dir, work.path()));
  const auto golden =
      model_dir::SafetensorsFile::open(golden_folder() / GetParam() += ".safetensors");
  const auto ids = tensor_values<std::int32_t>(golden, "ids");
  const auto offsets = tensor_values<std::uint32_t>(golden, "offsets");
  const auto first = tensor_values<float>(golden, "first");  // [pieces, 8]
  const auto norms = tensor_values<float>(golden, "norms");  // [pieces]
  const auto width = static_cast<std::size_t>(encoder.config().hidden);
  std::vector<float> hidden(ids.size() * width);
  Workspace workspace;
  encoder.forward(ids, offsets, hidden, workspace);

  for (std::size_t piece = 0; piece < ids.size(); ++piece) {
    double squares = 0;
    for (std::size_t c = 0; c < width; ++c) {
      const float value = hidden[piece * width + c];
      squares += static_cast<double>(value) * value;
      if (c < 8) {
        ASSERT_NEAR(value, first[piece * 8 + c], 2e-4) << piece;
      }
    }
    ASSERT_NEAR(std::sqrt(squares), norms[piece], 2e-3) << piece;
  }
}

INSTANTIATE_TEST_SUITE_P(Encoders, ImportedEncoderTest,
                         testing::Values("bert-base-uncased", "all-minilm-l6-v2"),
                         [](const auto& name) {
                           return std::string(name.param[0] == 'b' ? "BertBase" : "MiniLm");
                         });

}  // namespace
}  // namespace diffie::model
