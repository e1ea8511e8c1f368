// A ranker of a few trees, with the types of the commit that includes it.
#include <fstream>

#include "extract/ranker.h"

inline diffie::extract::Ranker toy_ranker() {
  diffie::extract::Ranker ranker;
  ranker.wording.depth = 1;
  ranker.wording.base = 0.5;
  ranker.wording.features = {0, 3};
  ranker.wording.thresholds = {0.25f, 1.5f};
  ranker.wording.leaves = {-0.125f, 0.375f, 0.0625f, -0.25f};
  ranker.worth.depth = 2;
  ranker.worth.base = 0.25;
  ranker.worth.features = {1, 0, 85};
  ranker.worth.thresholds = {0.5f, 0.125f, 2.0f};
  ranker.worth.leaves = {-0.5f, 0.25f, 0.5f, 1.0f};
  ranker.calibration = diffie::extract::Calibration({{-0.5, 0.125}, {0.25, 0.5}, {1.25, 0.875}});
  return ranker;
}

inline void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}
