// The smallest model there is, every file of which a test can break; the sums are made to match, so
// that what is behind them is tested.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "checksums/sha256.h"
#include "diffie/error.h"
#include "diffie/extractor.h"
#include "diffie/model.h"
#include "extract/rankers.h"
#include "lab/models/model_dir_write.h"
#include "model_dir/model_builder.h"
#include "temp_dir.h"

namespace diffie::test {

// One preset, widths of 1: about 8 kB in all.
class Victim {
 public:
  Victim() {
    ModelBuilder builder;
    model_dir::ModelConfig& config = builder.config;
    config.encoder = {1, 1, 1, 1, 6, 8, 1, 1e-12};
    config.denoiser = {1, 1, 1, 1e-5};
    config.diffusion.steps = 2;
    Settings settings = model_dir::standard_presets(config.diffusion).at("fast");
    settings.samples = 2;
    settings.selector = SelectorKind::kLearned;
    config.presets = {{"p", settings}};
    config.default_preset = "p";
    config.provenance.clear();
    config.name = "v";
    builder.tensors.clear();
    for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(config)) {
      std::vector<float>& numbers = builder.values[spec.name];
      numbers.assign(*base::checked_size(spec.shape), 0.5f);
      builder.tensors.push_back(
          {spec.name, model_dir::DType::kF32, spec.shape, std::as_bytes(std::span(numbers))});
    }
    extract::Ranker ranker;
    ranker.wording = extract::staircase("share", 1);
    ranker.worth = extract::staircase("fact_gain_2", 1);
    ranker.calibration = extract::Calibration({{0, 0.1}, {1, 0.9}});
    const std::string trees = extract::to_json(ranker);
    lab::write_model_dir(path(), {config, builder.tensors, builder.vocab, builder.card, trees});
  }

  std::filesystem::path path() const { return dir_ / "m"; }
  std::filesystem::path file(std::string_view name) const { return path() / name; }
  std::string read(std::string_view name) const { return read_file(file(name)); }

  // Another content, and its sum.
  void write(std::string_view name, std::string_view content) {
    write_file(file(name), content);
    if (name == "SHA256SUMS") return;
    std::string sums = read("SHA256SUMS");
    const std::size_t at = sums.find(fmt::format("  {}\n", name));
    ASSERT_NE(at, std::string::npos);
    sums.replace(at - 64, 64, checksums::sha256(std::as_bytes(std::span(content))));
    write_file(file("SHA256SUMS"), sums);
  }

  // True: it is a model, and what it makes of a sentence is no crash. False: refused with one line.
  // Anything but a diffie::Error is a failure.
  bool loads() const {
    try {
      const auto model = Model::load(path());
      Settings settings = model->settings();
      settings.threads = 1;
      settings.samples = 2;
      settings.steps = 1;
      settings.times = {};
      settings.shared = {};
      settings.judged = 0;
      EXPECT_FALSE(Extractor(model, settings).extract("the s").error.has_value());
      return true;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      EXPECT_GT(message.size(), 8u);
      EXPECT_TRUE(error.code() == ErrorCode::kCorruptModel ||
                  error.code() == ErrorCode::kUnsupported || error.code() == ErrorCode::kNotFound)
          << message;
      return false;
    } catch (const std::exception& other) {
      ADD_FAILURE() << "another exception: " << other.what();
      return false;
    }
  }

 private:
  TempDir dir_;
};

}  // namespace diffie::test
