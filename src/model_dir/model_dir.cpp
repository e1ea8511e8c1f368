#include "model_dir/model_dir.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/printable.h"
#include "checksums/sha256sums.h"
#include "diffie/error.h"
#include "files/own_file.h"
#include "files/read_file.h"

namespace diffie::model_dir {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxConfigBytes = 1 << 20;
constexpr const char* kRankerFile = "ranker.json";

[[noreturn]] void corrupt(const std::string& problem) {
  throw Error(ErrorCode::kCorruptModel, problem);
}

bool has_ranker(const fs::path& dir) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(dir / kRankerFile, ignored));
}

// One opening of a directory: every step reports what it finds and lets the next one go on.
class Reading {
 public:
  Reading(const fs::path& dir, const DirChecks& checks, const Report& report)
      : dir_(dir), checks_(checks), report_(report) {}

  // Without a configuration nothing else can be judged.
  std::optional<ModelConfig> config() {
    std::optional<ModelConfig> config;
    attempt([&] {
      const fs::path path = dir_ / "config.json";
      check_own_file(path);
      config = parse_model_config(files::read_small_file(path, kMaxConfigBytes), path.string());
    });
    return config;
  }

  void sums(const ModelConfig& config) {
    std::vector<std::string> required = config.weights;
    required.insert(required.end(), {"config.json", "vocab.txt"});
    if (checks_.complete) required.emplace_back("MODEL_CARD.md");
    if (has_ranker(dir_)) required.emplace_back(kRankerFile);
    attempt([&] {
      check_own_file(dir_ / "SHA256SUMS");
      for (const std::string& problem :
           checksums::check_sha256sums(dir_, required, checks_.complete)) {
        report_({ErrorCode::kCorruptModel, problem});
      }
    });
  }

  std::vector<SafetensorsFile> weights(const ModelConfig& config) {
    std::vector<SafetensorsFile> files;
    std::set<std::string, std::less<>> names;
    for (const std::string& file : config.weights) {
      attempt([&] {
        check_own_file(dir_ / file);
        files.push_back(SafetensorsFile::open(dir_ / file));
      });
    }
    for (const SafetensorsFile& file : files) {
      for (const TensorView& tensor : file.tensors()) {
        if (!names.insert(tensor.name).second) {
          problem(fmt::format("tensor '{}' is in another weights file too",
                              base::printable(tensor.name)));
        }
        if (checks_.contents) problem(values_problem(tensor));
      }
    }
    return files;
  }

  void tensors(const ModelDir& model) {
    const FindTensor find = [&](std::string_view name) { return model.find(name); };
    std::set<std::string, std::less<>> known;
    for (const TensorSpec& spec : expected_tensors(model.config())) {
      problem(tensor_problem(spec, find));
      known.insert(spec.name);
      const TensorView* tensor = find(spec.name);
      if (tensor != nullptr && tensor->dtype == DType::kI8) known.insert(spec.name + ".scale");
    }
    for (const SafetensorsFile& file : model.weights()) {
      for (const TensorView& tensor : file.tensors()) {
        if (known.contains(tensor.name)) continue;
        problem(fmt::format("tensor '{}' belongs to nothing", base::printable(tensor.name)));
      }
    }
  }

 private:
  template <typename Step>
  void attempt(Step step) {
    std::optional<Error> problem;
    try {
      step();
    } catch (const Error& error) {
      problem = error;
    } catch (const fs::filesystem_error& error) {
      problem.emplace(ErrorCode::kNotFound,
                      fmt::format("{}: {}", dir_.string(), error.code().message()));
    }
    if (problem) report_(*problem);
  }

  void problem(const std::string& what) {
    if (!what.empty())
      report_({ErrorCode::kCorruptModel, fmt::format("{}: {}", dir_.string(), what)});
  }

  const fs::path& dir_;
  const DirChecks& checks_;
  const Report& report_;
};

}  // namespace

void check_own_file(const fs::path& path) {
  const std::string_view problem = files::problem_of_own_file(path);
  if (problem.empty()) return;
  std::error_code ignored;
  const bool link = fs::is_symlink(fs::symlink_status(path, ignored));
  throw Error(link ? ErrorCode::kCorruptModel : ErrorCode::kNotFound,
              fmt::format("{}: {}", path.string(), problem));
}

std::optional<ModelDir> ModelDir::read(const fs::path& dir, const DirChecks& checks,
                                       const Report& report) {
  std::error_code ignored;
  if (!fs::is_directory(dir, ignored)) {
    report({ErrorCode::kNotFound, fmt::format("{}: not a directory", dir.string())});
    return std::nullopt;
  }
  Reading reading(dir, checks, report);
  std::optional<ModelConfig> config = reading.config();
  if (!config) return std::nullopt;
  ModelDir model;
  model.path_ = dir;
  model.config_ = std::move(*config);
  if (checks.contents) reading.sums(model.config_);
  model.weights_ =
      std::make_shared<const std::vector<SafetensorsFile>>(reading.weights(model.config_));
  reading.tensors(model);
  return model;
}

ModelDir ModelDir::open(const fs::path& dir, bool check_contents) {
  const DirChecks checks{.contents = check_contents};
  return *read(dir, checks, [](const Error& problem) { throw problem; });
}

fs::path ModelDir::ranker_path() const {
  return has_ranker(path_) ? path_ / kRankerFile : fs::path();
}

const TensorView* ModelDir::find(std::string_view name) const {
  for (const SafetensorsFile& file : *weights_) {
    if (const TensorView* tensor = file.find(name)) return tensor;
  }
  return nullptr;
}

const TensorView& ModelDir::tensor(std::string_view name) const {
  const TensorView* tensor = find(name);
  if (tensor == nullptr) {
    corrupt(fmt::format("{}: tensor '{}' is missing", path_.string(), base::printable(name)));
  }
  return *tensor;
}

std::vector<float> ModelDir::floats(std::string_view name,
                                    std::initializer_list<std::int64_t> shape) const {
  const TensorView& found = tensor(name);
  if (!std::equal(shape.begin(), shape.end(), found.shape.begin(), found.shape.end(),
                  [](std::int64_t want, std::uint64_t got) {
                    return want >= 0 && static_cast<std::uint64_t>(want) == got;
                  })) {
    corrupt(fmt::format("{}: tensor '{}' is [{}], wanted [{}]", path_.string(),
                        base::printable(name), fmt::join(found.shape, ", "),
                        fmt::join(shape, ", ")));
  }
  std::vector<float> values(found.num_elements());
  to_f32(found, find(std::string(name) + ".scale"), values);
  check_values(found, values);
  return values;
}

}  // namespace diffie::model_dir
