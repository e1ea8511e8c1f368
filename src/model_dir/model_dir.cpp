#include "model_dir/model_dir.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/printable.h"
#include "checksums/sha256sums.h"
#include "diffie/error.h"
#include "files/read_file.h"

namespace diffie::model_dir {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxConfigBytes = 1 << 20;
constexpr const char* kRankerFile = "ranker.json";

[[noreturn]] void corrupt(const std::string& problem) {
  throw Error(ErrorCode::kCorruptModel, problem);
}

bool is_weight_type(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kF16 || dtype == DType::kBF16;
}

// Names are plain, so only a link could lead out of the directory.
void check_no_link(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_symlink(path, ignored)) {
    corrupt(fmt::format("{}: a link, wanted a file of the directory itself", path.string()));
  }
}

std::vector<SafetensorsFile> open_weights(const fs::path& dir, const ModelConfig& config) {
  std::vector<SafetensorsFile> files;
  std::set<std::string_view> names;
  for (const std::string& file : config.weights) {
    check_no_link(dir / file);
    files.push_back(SafetensorsFile::open(dir / file));
    for (const TensorView& tensor : files.back().tensors()) {
      if (!names.insert(tensor.name).second) {
        corrupt(fmt::format("{}: tensor '{}' is in another weights file too", (dir / file).string(),
                            base::printable(tensor.name)));
      }
    }
  }
  return files;
}

bool has_ranker(const fs::path& dir) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(dir / kRankerFile, ignored));
}

void check_sums_of(const fs::path& dir, const ModelConfig& config) {
  std::vector<std::string> required = config.weights;
  required.insert(required.end(), {"config.json", "vocab.txt"});
  if (has_ranker(dir)) {
    check_no_link(dir / kRankerFile);
    required.emplace_back(kRankerFile);
  }
  const std::vector<std::string> problems = checksums::check_sha256sums(dir, required, false);
  if (!problems.empty()) corrupt(problems.front());
}

}  // namespace

std::string tensor_problem(const TensorSpec& spec, const FindTensor& find) {
  const TensorView* tensor = find(spec.name);
  if (tensor == nullptr) return fmt::format("tensor '{}' is missing", spec.name);
  if (tensor->shape != spec.shape) {
    return fmt::format("tensor '{}' is [{}], wanted [{}]", spec.name,
                       fmt::join(tensor->shape, ", "), fmt::join(spec.shape, ", "));
  }
  if (is_weight_type(tensor->dtype)) return "";
  if (tensor->dtype != DType::kI8 || spec.shape.size() != 2) {
    return fmt::format("tensor '{}' is {}, wanted F32, F16, BF16{}", spec.name,
                       name_of(tensor->dtype), spec.shape.size() == 2 ? " or I8" : "");
  }
  const TensorView* scale = find(spec.name + ".scale");
  if (scale == nullptr) return fmt::format("tensor '{}' is I8 and has no .scale", spec.name);
  if (scale->dtype != DType::kF32 || scale->shape != std::vector{spec.shape[0]}) {
    return fmt::format("tensor '{}.scale' is {} [{}], wanted F32 [{}]", spec.name,
                       name_of(scale->dtype), fmt::join(scale->shape, ", "), spec.shape[0]);
  }
  return "";
}

ModelDir ModelDir::open(const fs::path& dir, bool check_sums) {
  std::error_code ignored;
  if (!fs::is_directory(dir, ignored)) {
    throw Error(ErrorCode::kNotFound, fmt::format("{}: not a directory", dir.string()));
  }
  ModelDir model;
  model.path_ = dir;
  const fs::path config_path = dir / "config.json";
  check_no_link(config_path);
  model.config_ = parse_model_config(files::read_small_file(config_path, kMaxConfigBytes),
                                     config_path.string());
  if (check_sums) check_sums_of(dir, model.config_);
  model.weights_ =
      std::make_shared<const std::vector<SafetensorsFile>>(open_weights(dir, model.config_));
  const FindTensor find = [&](std::string_view name) { return model.find(name); };
  for (const TensorSpec& spec : expected_tensors(model.config_)) {
    const std::string problem = tensor_problem(spec, find);
    if (!problem.empty()) corrupt(fmt::format("{}: {}", dir.string(), problem));
  }
  return model;
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
  return values;
}

}  // namespace diffie::model_dir
