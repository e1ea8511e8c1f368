#include <fmt/format.h>

#include "checksums/sha256sums.h"
#include "diffie/error.h"
#include "diffie/lab/rank.h"
#include "extract/ranker.h"
#include "files/atomic_file.h"
#include "files/replace_folder.h"
#include "model_dir/model_dir.h"

namespace diffie {

void install_ranker(const std::filesystem::path& model_dir, const std::filesystem::path& ranker,
                    const LearnedPresets& presets) {
  const std::string text = to_json(extract::read_ranker(ranker));
  model_dir::ModelConfig config = model_dir::ModelDir::open(model_dir).config();
  if (presets.judged > 0 && !config.judge) {
    throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: has no judge", model_dir.string()));
  }
  for (const std::string& name : presets.names) {
    const auto preset = config.presets.find(name);
    if (preset == config.presets.end()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{}: has no preset '{}'", model_dir.string(), name));
    }
    preset->second.selector = SelectorKind::kLearned;
    preset->second.rule = Rule::kAllRuns;
    preset->second.wording = 0;
    preset->second.top_k = presets.top_k;
    preset->second.min_confidence = presets.min_confidence;
    preset->second.judged = presets.judged;
  }
  model_dir::check_model_config(config);
  files::change_folder(model_dir, [&](const std::filesystem::path& copy) {
    files::write_text_file(copy / "ranker.json", text);
    files::write_text_file(copy / "config.json", to_json(config));
    checksums::write_sha256sums(copy);
  });
}

}  // namespace diffie
