// A safetensors file: valid by construction, then broken in a few fields; or any bytes.
#include <fmt/format.h>

#include <vector>

#include "base/json_text.h"
#include "fuzz.h"
#include "model_dir/model_dir.h"
#include "model_dir/safetensors.h"

namespace {

using namespace diffie;
using fuzz::Choices;
using model_dir::DType;

std::string valid_then_broken(Choices& choices) {
  static constexpr std::array kTypes = {"F32", "F16", "BF16", "I8", "U8", "I32", "I64", "F64"};
  static constexpr std::array<std::uint64_t, 8> kSizes = {4, 2, 2, 1, 1, 4, 8, 8};
  struct Tensor {
    std::string name;
    std::string type;
    std::vector<std::uint64_t> shape;
    std::uint64_t begin, end;
  };
  std::vector<Tensor> tensors;
  std::uint64_t reached = 0;
  for (std::uint64_t i = choices.below(5); i > 0; --i) {
    const std::size_t type = choices.below(kTypes.size());
    std::vector<std::uint64_t> shape(choices.below(4));
    std::uint64_t bytes = kSizes[type];
    for (std::uint64_t& dim : shape) bytes *= dim = choices.below(5);
    const std::string name =
        i == 1 && !tensors.empty() ? tensors[0].name + ".scale" : fmt::format("t{}", i);
    tensors.push_back({name, kTypes[type], shape, reached, reached + bytes});
    reached += bytes;
  }
  std::uint64_t length_change = 0, data_bytes = reached;
  for (std::uint64_t i = choices.below(4); i > 0 && !tensors.empty(); --i) {
    Tensor& tensor = tensors[choices.below(tensors.size())];
    switch (choices.below(8)) {
      case 0:
        tensor.begin = choices.number();
        break;
      case 1:
        tensor.end = choices.number();
        break;
      case 2:
        tensor.shape.push_back(choices.number());
        break;
      case 3:
        tensor.type = choices.text(5);
        break;
      case 4:
        tensor.name = choices.text(20);
        break;
      case 5:
        data_bytes = choices.below(300);
        break;
      case 6:
        length_change = choices.number();
        break;
      default:
        if (!tensor.shape.empty()) tensor.shape[0] = choices.number();
    }
  }
  std::string header = "{";
  for (const Tensor& t : tensors) {
    if (header.size() > 1) header += ',';
    base::append_json_string(header, t.name);
    header += fmt::format(R"(:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", t.type,
                          fmt::join(t.shape, ","), t.begin, t.end);
  }
  header += '}';
  const std::uint64_t length = header.size() + length_change;
  std::string file;
  for (int shift = 0; shift < 64; shift += 8) file += static_cast<char>(length >> shift & 0xff);
  file += header;
  for (std::uint64_t i = 0; i < data_bytes; ++i) file += static_cast<char>(choices.byte());
  return file;
}

void use(const model_dir::SafetensorsFile& file, const std::string& bytes) {
  std::size_t covered = 0;
  for (const model_dir::TensorView& tensor : file.tensors()) {
    covered += tensor.bytes.size();
    FUZZ_CHECK(file.find(tensor.name) == &tensor);
    tensor.bytes.for_each_block([&](std::span<const std::byte> block) {
      const char* const begin = reinterpret_cast<const char*>(block.data());
      FUZZ_CHECK(begin >= bytes.data() && begin + block.size() <= bytes.data() + bytes.size());
    });
    model_dir::values_problem(tensor);
    std::vector<float> values(tensor.num_elements());
    const model_dir::TensorView* scale = file.find(tensor.name + ".scale");
    fuzz::accepted([&] { model_dir::to_f32(tensor, scale, values); });
    const model_dir::TensorSpec spec{tensor.name, tensor.shape};
    model_dir::tensor_problem(spec, [&](std::string_view name) { return file.find(name); });
    if (tensor.shape.size() != 2 || tensor.shape[0] == 0) continue;
    std::vector<float> row(tensor.shape[1]);
    fuzz::accepted([&] { model_dir::row_to_f32(tensor, scale, tensor.shape[0] - 1, row); });
  }
  FUZZ_CHECK(covered <= bytes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices(diffie::fuzz::as_text(data, size));
  const bool raw = choices.byte() % 2 == 0;
  std::string file = raw ? std::string(choices.rest()) : valid_then_broken(choices);
  file.shrink_to_fit();
  diffie::fuzz::accepted([&] {
    use(model_dir::SafetensorsFile::from_bytes(std::as_bytes(std::span(file)), "file"), file);
  });
  return 0;
}
