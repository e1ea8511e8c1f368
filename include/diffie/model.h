#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace diffie {

// A loaded model: immutable, shared between extractors and threads.
class Model {
 public:
  // Loads a model directory; checks its SHA-256 sums. Throws kNotFound, kCorruptModel,
  // kUnsupported.
  static std::shared_ptr<const Model> load(const std::filesystem::path& dir);

  ~Model();

  const std::string& name() const;
  bool trained() const;  // false: random weights, triples mean nothing
  std::vector<std::string> preset_names() const;
  const std::string& default_preset() const;

  class Impl;  // weights, tokenizer, configuration; defined in the engine
  explicit Model(std::unique_ptr<const Impl> impl);
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<const Impl> impl_;
};

}  // namespace diffie
