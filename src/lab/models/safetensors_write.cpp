#include "lab/models/safetensors_write.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "base/checked_size.h"
#include "base/printable.h"
#include "diffie/error.h"
#include "files/atomic_file.h"
#include "model_dir/safetensors.h"

namespace diffie::lab {
namespace {

constexpr std::size_t kAlignment = 64;  // of the data's start in the file

[[noreturn]] void refuse(const std::string& problem) {
  throw Error(ErrorCode::kInvalidArgument, problem);
}

std::string quoted(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    refuse(fmt::format("'{}' is not UTF-8", base::printable(text)));
  }
}

void check(std::span<const model_dir::TensorView> tensors) {
  std::set<std::string_view> names;
  for (const model_dir::TensorView& tensor : tensors) {
    if (tensor.name.empty() || tensor.name == "__metadata__") {
      refuse(fmt::format("'{}' cannot name a tensor", tensor.name));
    }
    if (!names.insert(tensor.name).second) {
      refuse(fmt::format("two tensors are named '{}'", base::printable(tensor.name)));
    }
    const auto wanted = base::checked_size(tensor.shape, model_dir::size_of(tensor.dtype));
    if (!wanted || *wanted != tensor.bytes.size()) {
      refuse(fmt::format("tensor '{}' holds {} bytes, which {} [{}] does not",
                         base::printable(tensor.name), tensor.bytes.size(), name_of(tensor.dtype),
                         fmt::join(tensor.shape, ", ")));
    }
  }
}

std::string make_header(std::span<const model_dir::TensorView> tensors,
                        const std::map<std::string, std::string>& metadata) {
  std::string header = "{";
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
      header += fmt::format("{}:{},", quoted(key), quoted(value));
    }
    header.back() = '}';
    header += ',';
  }
  std::uint64_t offset = 0;
  for (const model_dir::TensorView& tensor : tensors) {
    header += fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}},)",
                          quoted(tensor.name), name_of(tensor.dtype), fmt::join(tensor.shape, ","),
                          offset, offset + tensor.bytes.size());
    offset += tensor.bytes.size();
  }
  if (header.size() > 1) header.pop_back();
  header += '}';
  const std::size_t start = (8 + header.size() + kAlignment - 1) / kAlignment * kAlignment;
  header.resize(start - 8, ' ');
  return header;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path,
                       std::span<const model_dir::TensorView> tensors,
                       const std::map<std::string, std::string>& metadata) {
  check(tensors);
  const std::string header = make_header(tensors, metadata);
  std::string length;
  for (int shift = 0; shift < 64; shift += 8) {
    length += static_cast<char>(static_cast<std::uint64_t>(header.size()) >> shift & 0xff);
  }
  files::AtomicFile file(path);
  file.write(length);
  file.write(header);
  for (const model_dir::TensorView& tensor : tensors)
    tensor.bytes.for_each_block([&](std::span<const std::byte> block) { file.write(block); });
  file.commit();
}

}  // namespace diffie::lab
