// Models: loaded, and as files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/export.h"
#include "diffie/settings.h"

namespace diffie {

namespace engine {
class ModelParts;  // weights, tokenizer, configuration
}

// The directory of a model. What has a slash is a path. A name ("small") is looked for in
// $DIFFIE_MODELS, in ../share/diffie/models of the program's folder, in models/ in that folder and
// the three above it, in share/diffie/models above the shared library and of the prefix diffie was
// configured with; only then it is a directory in the current folder. Throws kNotFound and says
// where it looked.
DIFFIE_API std::filesystem::path find_model(const std::string& name_or_path);

// A loaded model: immutable, shared between extractors and threads.
class DIFFIE_API Model {
 public:
  // Loads a model directory, which must be all that verify_model asks for but complete. Throws the
  // first problem: kNotFound, kCorruptModel, kUnsupported.
  static std::shared_ptr<const Model> load(const std::filesystem::path& dir);

  ~Model();

  const std::string& name() const;
  bool trained() const;        // false: random weights, triples mean nothing
  std::string kernel() const;  // of its noise: "uniform", "absorbing" or "anchored"
  std::vector<std::string> preset_names() const;
  const std::string& default_preset() const;

  // The values of a preset; empty: the default one. A caller changes what it wants and hands them
  // to an Extractor. Throws kInvalidArgument for a preset that the model does not have.
  Settings settings(std::string_view preset = {}) const;

 private:
  friend class engine::ModelParts;
  explicit Model(std::unique_ptr<const engine::ModelParts> parts);
  std::unique_ptr<const engine::ModelParts> parts_;
};

struct TensorInfo {
  std::string file;
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t bytes = 0;
};

struct ModelInfo {
  std::string config_json;  // as read, checked
  std::vector<TensorInfo> tensors;
  std::uint64_t parameters = 0;
  std::uint64_t bytes_on_disk = 0;
};

// Throws kNotFound, kCorruptModel, kUnsupported. Does not read tensor data.
DIFFIE_API ModelInfo inspect_model(const std::filesystem::path& dir);

// One line per problem; empty: every file is one of the directory itself and has its SHA-256, every
// tensor is there with its shape and no other, no weight is beyond 1024, vocabulary and ranker can
// be read and fit; and it is complete: there is a model card, and no file without a sum.
DIFFIE_API std::vector<std::string> verify_model(const std::filesystem::path& dir);

}  // namespace diffie
