#include <algorithm>

#include "diffie/error.h"
#include "diffie/model.h"
#include "engine/model_parts.h"

namespace diffie {

std::vector<std::string> verify_model(const std::filesystem::path& dir) {
  std::vector<std::string> problems;
  const model_dir::DirChecks checks{.contents = true, .complete = true};
  // The sums meet a file first, who reads it then; both may say the same.
  engine::ModelParts::read(dir, checks, [&](const Error& problem) {
    const bool is_new =
        std::find(problems.begin(), problems.end(), problem.what()) == problems.end();
    if (is_new) problems.emplace_back(problem.what());
  });
  return problems;
}

}  // namespace diffie
