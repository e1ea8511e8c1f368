// The samples that an extractor would choose from, before anything is chosen.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "diffie/lab/tag_pool.h"
#include "diffie/model.h"
#include "diffie/settings.h"

namespace diffie {

class TagSampler {
 public:
  // As an Extractor is made.
  TagSampler(std::shared_ptr<const Model> model, const Settings& settings);
  ~TagSampler();

  // One pool per sentence, with the promises of Extractor::extract. A sentence that is empty or too
  // long for the encoder has an empty pool.
  std::vector<TagPool> sample(std::span<const std::string_view> sentences) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace diffie
