#include "model_dir/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/checked_size.h"
#include "base/printable.h"
#include "diffie/error.h"
#include "files/strict_json.h"

namespace diffie::model_dir {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = 10'000'000;
constexpr std::size_t kMaxHeaderValues = 200'000;  // our largest model has 3,000 in a file
constexpr std::size_t kMaxRank = 8;
constexpr std::size_t kMaxNameBytes = 1024;
constexpr std::size_t kMaxMetadataBytes = 1 << 20;

struct DTypeEntry {
  DType dtype;
  std::string_view name;
  std::size_t size;
};
constexpr std::array<DTypeEntry, 7> kDTypes = {{{DType::kF32, "F32", 4},
                                                {DType::kF16, "F16", 2},
                                                {DType::kBF16, "BF16", 2},
                                                {DType::kI8, "I8", 1},
                                                {DType::kU8, "U8", 1},
                                                {DType::kI32, "I32", 4},
                                                {DType::kI64, "I64", 8}}};

[[noreturn]] void corrupt(std::string_view where, const std::string& problem) {
  throw Error(ErrorCode::kCorruptModel, fmt::format("{}: {}", where, problem));
}

struct Placed {
  TensorView view;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

Placed read_entry(const std::string& name, files::JsonObject entry, const files::ByteRange& data,
                  std::string_view where) {
  static constexpr std::array<std::string_view, kDTypes.size()> kNames = [] {
    std::array<std::string_view, kDTypes.size()> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = kDTypes[i].name;
    return names;
  }();
  Placed tensor;
  tensor.view.name = name;
  tensor.view.dtype = kDTypes[entry.one_of("dtype", kNames)].dtype;
  tensor.view.shape = entry.unsigneds("shape", kMaxRank);
  const std::vector<std::uint64_t> offsets = entry.unsigneds("data_offsets", 2);
  entry.finish();
  if (offsets.size() != 2) entry.fail("data_offsets", "wanted two offsets");
  tensor.begin = offsets[0];
  tensor.end = offsets[1];
  if (tensor.begin > tensor.end || tensor.end > data.size()) {
    corrupt(where, fmt::format("tensor '{}' lies at {}..{} of {} data bytes", base::printable(name),
                               tensor.begin, tensor.end, data.size()));
  }
  const auto wanted = base::checked_size(tensor.view.shape, size_of(tensor.view.dtype));
  if (!wanted || *wanted != tensor.end - tensor.begin) {
    corrupt(where, fmt::format("tensor '{}' holds {} bytes, {} [{}] needs {}",
                               base::printable(name), tensor.end - tensor.begin,
                               name_of(tensor.view.dtype), fmt::join(tensor.view.shape, ", "),
                               wanted ? std::to_string(*wanted) : "2^64 or more"));
  }
  tensor.view.bytes = data.part(tensor.begin, tensor.end - tensor.begin);
  return tensor;
}

// Sorted by place, the tensors must cover the data without gap or overlap: then no byte is hidden
// and no byte is read twice.
void check_tiling(const std::vector<Placed>& tensors, std::uint64_t data_size,
                  std::string_view where) {
  std::uint64_t reached = 0;
  for (const Placed& tensor : tensors) {
    if (tensor.begin != reached) {
      corrupt(where, fmt::format("tensor '{}' starts at {} where {} was expected: {}",
                                 base::printable(tensor.view.name), tensor.begin, reached,
                                 tensor.begin < reached ? "overlap" : "hole"));
    }
    reached = tensor.end;
  }
  if (reached != data_size) {
    corrupt(where, fmt::format("tensors end at {} of {} data bytes", reached, data_size));
  }
}

std::string read_header(const files::ByteRange& bytes, std::string_view where) {
  if (bytes.size() < 8) corrupt(where, fmt::format("{} bytes, too short", bytes.size()));
  std::array<std::byte, 8> first;
  bytes.part(0, 8).copy_to(first);
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | std::to_integer<std::uint64_t>(first[i]);
  if (length > kMaxHeaderBytes) {
    corrupt(where, fmt::format("header of {} bytes, at most {} allowed", length, kMaxHeaderBytes));
  }
  if (length > bytes.size() - 8) {
    corrupt(where, fmt::format("header of {} bytes in a file of {}", length, bytes.size()));
  }
  std::string header(static_cast<std::size_t>(length), '\0');
  bytes.part(8, header.size()).copy_to(std::as_writable_bytes(std::span(header)));
  return header;
}

}  // namespace

std::size_t size_of(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)].size; }

std::string_view name_of(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)].name; }

std::uint64_t TensorView::num_elements() const { return bytes.size() / size_of(dtype); }

SafetensorsFile::SafetensorsFile(const files::ByteRange& bytes, std::string_view where) {
  const std::string header = read_header(bytes, where);
  const files::ByteRange data = bytes.part(8 + header.size(), bytes.size() - 8 - header.size());
  nlohmann::json json =
      files::parse_strict_json(header, where, {.max_depth = 3, .max_values = kMaxHeaderValues});
  const files::TakesApart at_the_end(json);
  files::JsonObject root(json, where);
  std::vector<Placed> placed;
  for (const std::string& name : root.keys()) {
    if (name == "__metadata__") {
      files::JsonObject object = root.object(name);
      for (const std::string& key : object.keys()) {
        metadata_.emplace(key, object.string(key, kMaxMetadataBytes));
      }
      continue;
    }
    if (name.empty() || name.size() > kMaxNameBytes) {
      corrupt(where, fmt::format("tensor name '{}' has {} bytes, wanted 1..{}",
                                 base::printable(name), name.size(), kMaxNameBytes));
    }
    placed.push_back(read_entry(name, root.object(name), data, where));
  }
  std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  check_tiling(placed, data.size(), where);
  for (Placed& tensor : placed) {
    index_.emplace(tensor.view.name, tensors_.size());
    tensors_.push_back(std::move(tensor.view));
  }
}

SafetensorsFile SafetensorsFile::open(const std::filesystem::path& path) {
  auto opened = std::make_unique<const files::RegularFile>(path);
  SafetensorsFile file(files::ByteRange(*opened), path.string());
  file.file_ = std::move(opened);
  return file;
}

SafetensorsFile SafetensorsFile::from_bytes(std::span<const std::byte> bytes,
                                            const std::string& name) {
  return SafetensorsFile(bytes, name);
}

const TensorView* SafetensorsFile::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

}  // namespace diffie::model_dir
