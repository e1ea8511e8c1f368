#include "diffie/error.h"
#include "diffie/model.h"
#include "engine/model_parts.h"

namespace diffie {

std::vector<std::string> verify_model(const std::filesystem::path& dir) {
  std::vector<std::string> problems;
  const model_dir::DirChecks checks{.contents = true, .complete = true};
  engine::ModelParts::read(dir, checks,
                           [&](const Error& problem) { problems.emplace_back(problem.what()); });
  return problems;
}

}  // namespace diffie
