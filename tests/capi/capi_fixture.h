// Handles of the C interface that free themselves, and a small random model for all tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "diffie.h"
#include "diffie/lab/model_files.h"
#include "temp_dir.h"

namespace diffie::test {

template <auto free_handle>
struct Free {
  template <typename Handle>
  void operator()(Handle* handle) const {
    free_handle(handle);
  }
};
using ModelHandle = std::unique_ptr<diffie_model, Free<diffie_model_free>>;
using SettingsHandle = std::unique_ptr<diffie_settings, Free<diffie_settings_free>>;
using ExtractorHandle = std::unique_ptr<diffie_extractor, Free<diffie_extractor_free>>;
using ResultHandle = std::unique_ptr<diffie_result, Free<diffie_result_free>>;
using StopHandle = std::unique_ptr<diffie_stop, Free<diffie_stop_free>>;

// Its triples mean nothing, but every promise about them can be tested.
class CapiTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    temp_ = std::make_unique<TempDir>();
    InitOptions options;
    options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
    options.encoder_hidden = 32;
    options.denoiser_hidden = 32;
    init_model(model_path(), options);
    diffie_model* model = nullptr;
    ASSERT_EQ(diffie_model_load(model_path().c_str(), &model), DIFFIE_OK) << diffie_last_error();
    model_.reset(model);
  }
  static void TearDownTestSuite() {
    model_.reset();
    temp_.reset();
  }

  static std::filesystem::path model_path() { return temp_->path() / "tiny"; }
  static const diffie_model* model() { return model_.get(); }

  // The preset `paper` with little to compute.
  static SettingsHandle small_settings() {
    diffie_settings* settings = nullptr;
    EXPECT_EQ(diffie_settings_new(model(), "paper", &settings), DIFFIE_OK) << diffie_last_error();
    for (const auto& [name, value] :
         {std::pair("samples", "24"), std::pair("steps", "4"), std::pair("threads", "2")}) {
      EXPECT_EQ(diffie_settings_set(settings, name, value), DIFFIE_OK) << diffie_last_error();
    }
    return SettingsHandle(settings);
  }

  static ExtractorHandle small_extractor() {
    diffie_extractor* extractor = nullptr;
    EXPECT_EQ(diffie_extractor_new(model(), small_settings().get(), &extractor), DIFFIE_OK)
        << diffie_last_error();
    return ExtractorHandle(extractor);
  }

 private:
  static inline std::unique_ptr<TempDir> temp_;
  static inline ModelHandle model_;
};

}  // namespace diffie::test
