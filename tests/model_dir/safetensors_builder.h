#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::test {

// Bytes of a safetensors file, every part of which a test can break. `header` empty: made from the
// tensors; `header_length` negative: that of the header.
struct SafetensorsBuilder {
  struct Tensor {
    std::string name;
    std::string dtype = "F32";
    std::vector<std::uint64_t> shape;
    std::vector<std::uint64_t> data_offsets;
  };

  std::vector<Tensor> tensors;
  std::string metadata;  // JSON, or empty
  std::string header;
  std::int64_t header_length = -1;
  std::string data;

  Tensor& tensor(std::string_view name) {
    for (Tensor& tensor : tensors) {
      if (tensor.name == name) return tensor;
    }
    throw std::out_of_range(std::string(name));
  }

  std::string json() const {
    std::vector<std::string> fields;
    if (!metadata.empty()) fields.push_back(fmt::format("\"__metadata__\":{}", metadata));
    for (const Tensor& tensor : tensors) {
      fields.push_back(fmt::format(R"("{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{}]}})",
                                   tensor.name, tensor.dtype, fmt::join(tensor.shape, ","),
                                   fmt::join(tensor.data_offsets, ",")));
    }
    return fmt::format("{{{}}}", fmt::join(fields, ","));
  }

  std::string bytes() const {
    const std::string text = header.empty() ? json() : header;
    const auto length = static_cast<std::uint64_t>(header_length < 0 ? text.size() : header_length);
    std::string out;
    for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(length >> shift & 0xff);
    return out + text + data;
  }
};

// a [2, 3] F32, b [4] F16, c [3] I8: 35 bytes of data.
inline SafetensorsBuilder small_valid_safetensors() {
  SafetensorsBuilder file;
  file.tensors = {
      {"a", "F32", {2, 3}, {0, 24}}, {"b", "F16", {4}, {24, 32}}, {"c", "I8", {3}, {32, 35}}};
  file.metadata = R"({"format":"pt"})";
  for (int i = 0; i < 35; ++i) file.data += static_cast<char>(i);
  return file;
}

}  // namespace diffie::test
