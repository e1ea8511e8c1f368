#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <set>

#include "base/printable.h"
#include "checksums/sha256sums.h"
#include "diffie/error.h"
#include "diffie/model.h"
#include "files/read_file.h"
#include "model_dir/model_dir.h"
#include "model_dir/vocabulary.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;
using namespace model_dir;

constexpr std::size_t kMaxConfigBytes = 1 << 20;
constexpr std::size_t kMaxVocabBytes = 64 << 20;

// True when a value has all exponent bits set: infinity or not a number.
template <typename Bits>
bool holds_non_finite(std::span<const std::byte> bytes, Bits exponent_mask) {
  for (std::size_t i = 0; i + sizeof(Bits) <= bytes.size(); i += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, bytes.data() + i, sizeof(Bits));
    if ((bits & exponent_mask) == exponent_mask) return true;
  }
  return false;
}

bool is_finite(const TensorView& tensor) {
  switch (tensor.dtype) {
    case DType::kF32:
      return !holds_non_finite<std::uint32_t>(tensor.bytes, 0x7f800000u);
    case DType::kF16:
      return !holds_non_finite<std::uint16_t>(tensor.bytes, 0x7c00u);
    case DType::kBF16:
      return !holds_non_finite<std::uint16_t>(tensor.bytes, 0x7f80u);
    default:
      return true;
  }
}

class Verifier {
 public:
  explicit Verifier(const fs::path& dir) : dir_(dir) {}

  std::vector<std::string> run() {
    // Without a configuration nothing else can be judged.
    if (!attempt([&] { read_config(); })) return std::move(problems_);
    attempt([&] { check_sums(); });
    attempt([&] { check_vocabulary(); });
    for (const std::string& file : config_.weights) {
      attempt([&] { weights_.push_back(SafetensorsFile::open(dir_ / file)); });
    }
    check_tensors();
    return std::move(problems_);
  }

 private:
  template <typename Step>
  bool attempt(Step step) {
    try {
      step();
      return true;
    } catch (const Error& error) {
      problems_.emplace_back(error.what());
    } catch (const fs::filesystem_error& error) {
      problems_.push_back(fmt::format("{}: {}", dir_.string(), error.code().message()));
    }
    return false;
  }

  void read_config() {
    const fs::path path = dir_ / "config.json";
    config_ = parse_model_config(files::read_small_file(path, kMaxConfigBytes), path.string());
  }

  void check_sums() {
    std::vector<std::string> required = config_.weights;
    required.insert(required.end(), {"config.json", "vocab.txt", "MODEL_CARD.md"});
    for (std::string& problem : checksums::check_sha256sums(dir_, required, true)) {
      problems_.push_back(std::move(problem));
    }
  }

  void check_vocabulary() {
    const fs::path path = dir_ / "vocab.txt";
    const std::string vocab = files::read_small_file(path, kMaxVocabBytes);
    const std::int32_t pieces = count_vocabulary(vocab, path.string());
    if (pieces != config_.encoder.vocab_size) {
      problems_.push_back(fmt::format("{}: {} pieces, config.json says {}", path.string(), pieces,
                                      config_.encoder.vocab_size));
    }
    for (const char* special : {"[UNK]", "[CLS]", "[SEP]"}) {
      if (("\n" + vocab).find(fmt::format("\n{}\n", special)) == std::string::npos) {
        problems_.push_back(fmt::format("{}: no line '{}'", path.string(), special));
      }
    }
  }

  void add_tensor_problem(const std::string& problem) {
    problems_.push_back(fmt::format("{}: {}", dir_.string(), problem));
  }

  void check_tensors() {
    std::map<std::string_view, const TensorView*> by_name;
    for (const SafetensorsFile& file : weights_) {
      for (const TensorView& tensor : file.tensors()) {
        if (!by_name.emplace(tensor.name, &tensor).second) {
          add_tensor_problem(
              fmt::format("tensor '{}' is in two files", base::printable(tensor.name)));
        }
        if (!is_finite(tensor)) {
          add_tensor_problem(fmt::format("tensor '{}' holds values that are not finite",
                                         base::printable(tensor.name)));
        }
      }
    }
    const FindTensor find = [&](std::string_view name) -> const TensorView* {
      const auto found = by_name.find(name);
      return found == by_name.end() ? nullptr : found->second;
    };
    std::set<std::string, std::less<>> known;
    for (const TensorSpec& spec : expected_tensors(config_)) {
      const std::string problem = tensor_problem(spec, find);
      if (!problem.empty()) add_tensor_problem(problem);
      known.insert(spec.name);
      const TensorView* tensor = find(spec.name);
      if (tensor != nullptr && tensor->dtype == DType::kI8) known.insert(spec.name + ".scale");
    }
    for (const auto& [name, tensor] : by_name) {
      if (!known.contains(name)) {
        add_tensor_problem(fmt::format("tensor '{}' belongs to nothing", base::printable(name)));
      }
    }
  }

  fs::path dir_;
  ModelConfig config_;
  std::vector<SafetensorsFile> weights_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verify_model(const fs::path& dir) {
  std::error_code ignored;
  if (!fs::is_directory(dir, ignored)) return {fmt::format("{}: not a directory", dir.string())};
  return Verifier(dir).run();
}

}  // namespace diffie
