// `diffie extract` with a toy model that a test suite makes for itself.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_program.h"
#include "diffie/lab/model_files.h"
#include "temp_dir.h"

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class ToyExtract : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    temp_ = std::make_unique<diffie::test::TempDir>();
    diffie::InitOptions options;
    options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
    options.encoder_hidden = 32;
    options.denoiser_hidden = 32;
    diffie::init_model(temp_->path() / "model", options);
  }
  static void TearDownTestSuite() { temp_.reset(); }

  static std::string path(const std::string& name) { return temp_->path() / name; }

  static std::string write(const std::string& name, const std::string& content) {
    std::filesystem::create_directories((temp_->path() / name).parent_path());
    diffie::test::write_file(path(name), content);
    return path(name);
  }
  static std::string read(const std::string& name) { return diffie::test::read_file(path(name)); }
  static bool exists(const std::string& name) { return std::filesystem::exists(path(name)); }

  // Few samples.
  static std::string arguments(const std::string& more) {
    return "extract --model '" + path("model") + "' --preset paper --samples 12 --steps 2 " + more;
  }
  static ProgramRun extract(const std::string& more, const std::string& input = "") {
    return run_program(arguments(more), input, temp_->path());
  }

  static inline std::unique_ptr<diffie::test::TempDir> temp_;
};
