#include "train/checkpoint.h"

#include <fmt/format.h>

#include <charconv>
#include <span>

#include "diffie/error.h"
#include "lab/models/safetensors_write.h"

namespace diffie::train {
namespace {

constexpr const char* kFormat = "diffie-checkpoint";

model_dir::DType dtype_of(torch::ScalarType type) {
  switch (type) {
    case torch::kFloat16:
      return model_dir::DType::kF16;
    case torch::kFloat32:
      return model_dir::DType::kF32;
    default:
      throw Error(ErrorCode::kInternal, "tensor type that no file holds");
  }
}

// Everything that changes during a run; frozen weights come from where they came from before.
std::vector<std::pair<std::string, torch::Tensor>> changing_tensors(const ParamSet& master,
                                                                    const Optimizer& optimizer) {
  std::vector<std::pair<std::string, torch::Tensor>> entries = optimizer.state();
  for (std::size_t i = 0; i < master.size(); ++i) {
    if (optimizer.compute_params().tensors()[i].requires_grad()) {
      entries.emplace_back("w." + master.names()[i], master.tensors()[i]);
    }
  }
  return entries;
}

std::map<std::string, std::string> to_metadata(const CheckpointInfo& info) {
  return {{"format", kFormat},
          {"step", std::to_string(info.step)},
          {"seconds", fmt::format("{}", info.seconds)},
          {"loss_sum", fmt::format("{}", info.loss_sum)},
          {"loss_count", std::to_string(info.loss_count)},
          {"config", info.config},
          {"data_sha256", info.data_sha256}};
}

class Metadata {
 public:
  Metadata(const std::map<std::string, std::string>& entries, std::string where)
      : entries_(entries), where_(std::move(where)) {}

  const std::string& text(const std::string& key) const {
    const auto found = entries_.find(key);
    if (found == entries_.end()) fail(key);
    return found->second;
  }
  template <typename T>
  T number(const std::string& key) const {
    const std::string& value = text(key);
    T result = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc() || end != value.data() + value.size()) fail(key);
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& key) const {
    throw Error(ErrorCode::kCorruptModel,
                fmt::format("{}: metadata '{}' is absent or no number", where_, key));
  }
  const std::map<std::string, std::string>& entries_;
  std::string where_;
};

CheckpointInfo from_metadata(const std::map<std::string, std::string>& entries,
                             const std::string& where) {
  const Metadata metadata(entries, where);
  if (metadata.text("format") != kFormat) {
    throw Error(ErrorCode::kCorruptModel, fmt::format("{}: not a checkpoint", where));
  }
  return {metadata.number<std::int64_t>("step"),
          metadata.number<double>("seconds"),
          metadata.number<double>("loss_sum"),
          metadata.number<std::int64_t>("loss_count"),
          metadata.text("config"),
          metadata.text("data_sha256")};
}

void copy_from(const model_dir::SafetensorsFile& file, const std::string& name,
               torch::Tensor target, const std::string& where) {
  const model_dir::TensorView* view = file.find(name);
  const std::vector<std::uint64_t> shape(target.sizes().begin(), target.sizes().end());
  if (!view || view->dtype != model_dir::DType::kF32 || view->shape != shape) {
    throw Error(ErrorCode::kCorruptModel,
                fmt::format("{}: tensor '{}' is absent or of another shape", where, name));
  }
  torch::Tensor values = torch::empty(target.sizes(), torch::kFloat32);
  view->bytes.copy_to({static_cast<std::byte*>(values.data_ptr()), values.nbytes()});
  target.copy_(values);
}

}  // namespace

StoredTensor stored_tensor(std::string name, const torch::Tensor& tensor, torch::ScalarType type) {
  StoredTensor stored;
  stored.tensor = tensor.detach().to(torch::kCPU, type, false, /*copy=*/true).contiguous();
  stored.view.name = std::move(name);
  stored.view.dtype = dtype_of(type);
  stored.view.shape.assign(tensor.sizes().begin(), tensor.sizes().end());
  stored.view.bytes =
      std::span(static_cast<const std::byte*>(stored.tensor.data_ptr()), stored.tensor.nbytes());
  return stored;
}

CheckpointWriter::~CheckpointWriter() {
  if (pending_.valid()) pending_.wait();
}

void CheckpointWriter::wait() {
  if (pending_.valid()) pending_.get();
}

void CheckpointWriter::write(const ParamSet& master, const Optimizer& optimizer,
                             const CheckpointInfo& info) {
  wait();
  std::vector<StoredTensor> stored;
  for (const auto& [name, tensor] : changing_tensors(master, optimizer)) {
    stored.push_back(stored_tensor(name, tensor, torch::kFloat32));
  }
  pending_ = std::async(std::launch::async,
                        [path = path_, tensors = std::move(stored), metadata = to_metadata(info)] {
                          std::vector<model_dir::TensorView> views;
                          for (const StoredTensor& tensor : tensors) views.push_back(tensor.view);
                          lab::write_safetensors(path, views, metadata);
                        });
}

CheckpointInfo load_checkpoint(const std::filesystem::path& path, const std::string& config,
                               const std::string& data_sha256, ParamSet& master,
                               Optimizer& optimizer) {
  const torch::NoGradGuard no_grad;
  const std::string where = path.filename().string();
  const model_dir::SafetensorsFile file = model_dir::SafetensorsFile::open(path);
  const CheckpointInfo info = from_metadata(file.metadata(), where);
  if (info.config != config) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: is of a run with other settings; resume needs the same", where));
  }
  if (info.data_sha256 != data_sha256) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: is of a run on other data (SHA-256 {}, now {})", where,
                            info.data_sha256, data_sha256));
  }
  for (const auto& [name, tensor] : changing_tensors(master, optimizer)) {
    copy_from(file, name, tensor, where);
  }
  optimizer.refresh_compute_params();
  return info;
}

}  // namespace diffie::train
