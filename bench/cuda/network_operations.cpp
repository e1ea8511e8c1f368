#include "network_operations.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <random>

#include "cuda/convert.h"
#include "cuda/kernels.h"

namespace diffie::cuda {
namespace {

constexpr double kBf16 = sizeof(Bf16);
constexpr double kFloat = sizeof(float);
// Rows that a round of `balanced` asks about a sentence where it asks most; they share its context.
constexpr std::size_t kRowsOfASentence = 5;
// Mean, centring, squares and their sum, scale, gamma and beta, for each value.
constexpr double kNormFlop = 7;

double number(std::size_t count) { return static_cast<double>(count); }

template <typename T>
using Copies = std::shared_ptr<std::vector<DeviceArray<T>>>;

Copies<Bf16> random_copies(RandomData& data, std::size_t copies, std::size_t count) {
  auto all = std::make_shared<std::vector<DeviceArray<Bf16>>>();
  for (std::size_t copy = 0; copy < copies; ++copy) all->push_back(data.bf16(count));
  return all;
}

// The same values in each.
template <typename T>
Copies<T> copies_of(std::size_t copies, const std::vector<T>& values) {
  auto all = std::make_shared<std::vector<DeviceArray<T>>>();
  for (std::size_t copy = 0; copy < copies; ++copy) {
    all->push_back(to_device(std::span<const T>(values)));
  }
  return all;
}

template <typename T>
std::vector<T> random_below(std::size_t count, std::uint32_t end) {
  std::mt19937 generator(2);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(generator() % end);
  return values;
}

enum class Residual { kNo, kYes };

Operation product(const std::string& name, std::size_t calls, std::size_t rows, std::size_t n,
                  std::size_t k, Activation activation = Activation::kNone,
                  Residual residual = Residual::kNo) {
  const double results = number(rows * n) * (residual == Residual::kYes ? 2 : 1);
  return {.name = name,
          .shape = fmt::format("{} x {}", n, k),
          .calls = calls,
          .flop = 2 * number(rows) * number(n) * number(k),
          .bytes = kBf16 * (number(rows * k) + number(n * k) + results),
          .make = [=](const Place& place, std::size_t copies) -> Call {
            auto linears = std::make_shared<std::vector<Linear<Bf16>>>();
            const float scale = 1 / std::sqrt(static_cast<float>(k));
            for (std::size_t copy = 0; copy < copies; ++copy) {
              linears->emplace_back(place.handle, place.data.floats(n * k, scale),
                                    place.data.floats(n), activation);
            }
            const auto x = random_copies(place.data, copies, rows * k);
            const auto y = random_copies(place.data, copies, rows * n);
            const auto added =
                random_copies(place.data, residual == Residual::kYes ? copies : 0, rows * n);
            return [=, &stream = place.stream](std::size_t copy) {
              (*linears)[copy].apply((*x)[copy].data(), rows, (*y)[copy].data(), stream.get(),
                                     added->empty() ? nullptr : (*added)[copy].data());
            };
          }};
}

Operation attend(std::size_t calls, const Rows& rows, std::size_t heads, std::size_t head_dim) {
  const std::size_t width = heads * head_dim, tokens = rows.tokens();
  double pairs = 0;
  std::size_t longest = 0;
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const std::size_t length = rows.offsets[row + 1] - rows.offsets[row];
    pairs += number(length * length);
    longest = std::max(longest, length);
  }
  return {.name = "attention",
          .shape = fmt::format("{} x {}", heads, head_dim),
          .calls = calls,
          .flop = 4 * pairs * number(width),
          .bytes = 4 * kBf16 * number(tokens * width),
          .make = [=](const Place& place, std::size_t copies) -> Call {
            const auto offsets = copies_of(1, rows.offsets);
            const auto qkv = random_copies(place.data, copies, tokens * 3 * width);
            const auto out = random_copies(place.data, copies, tokens * width);
            const AttentionRows on_device{offsets->front().data(), rows.count(), longest};
            return [=, &stream = place.stream](std::size_t copy) {
              // Whoever copies the call keeps the offsets.
              attention((*qkv)[copy].data(), nullptr, on_device, heads, head_dim,
                        (*out)[copy].data(), stream.get());
              static_cast<void>(offsets);
            };
          }};
}

// gamma and beta of a norm.
struct NormPlace {
  Copies<float> values;
  NormWeights weights;

  NormPlace(RandomData& data, std::size_t columns)
      : values(copies_of(1, data.floats(columns))),
        weights{values->front().data(), values->front().data(), columns, 1e-5f} {}
};

Operation norm(const std::string& name, std::size_t calls, std::size_t tokens, std::size_t columns,
               Residual residual = Residual::kNo) {
  const double arrays = residual == Residual::kYes ? 3 : 2;
  return {.name = name,
          .shape = fmt::format("{}", columns),
          .calls = calls,
          .flop = kNormFlop * number(tokens * columns),
          .bytes = arrays * kBf16 * number(tokens * columns),
          .make = [=](const Place& place, std::size_t copies) -> Call {
            const NormPlace norm(place.data, columns);
            const auto x = random_copies(place.data, copies, tokens * columns);
            const auto y = random_copies(place.data, copies, tokens * columns);
            const auto added = random_copies(place.data, residual == Residual::kYes ? copies : 0,
                                             tokens * columns);
            return [=, &stream = place.stream](std::size_t copy) {
              layer_norm<Bf16>((*x)[copy].data(), added->empty() ? nullptr : (*added)[copy].data(),
                               norm.weights, tokens, (*y)[copy].data(), stream.get());
            };
          }};
}

Operation embedding(const model_dir::EncoderConfig& config, const Rows& rows) {
  const auto d = static_cast<std::size_t>(config.hidden);
  const auto vocab = static_cast<std::size_t>(config.vocab_size);
  const auto positions = static_cast<std::size_t>(config.max_positions);
  const std::size_t tokens = rows.tokens();
  return {.name = "embedding, norm",
          .shape = fmt::format("{}", d),
          .flop = (kNormFlop + 2) * number(tokens * d),
          .bytes = number(tokens) * (2 * kFloat + 2 * kBf16 * number(d)),
          .make = [=](const Place& place, std::size_t copies) -> Call {
            std::vector<std::uint32_t> places;
            for (std::size_t row = 0; row < rows.count(); ++row) {
              for (std::uint32_t at = rows.offsets[row]; at < rows.offsets[row + 1]; ++at) {
                places.push_back(at - rows.offsets[row]);
              }
            }
            const NormPlace norm(place.data, d);
            // Other words in each copy.
            const auto ids = copies_of(
                1, random_below<std::int32_t>(copies * tokens, static_cast<std::uint32_t>(vocab)));
            const auto at = copies_of(copies, places);
            const auto word = random_copies(place.data, 1, vocab * d);
            const auto position = copies_of(1, place.data.floats(positions * d));
            const auto y = random_copies(place.data, copies, tokens * d);
            return [=, &stream = place.stream](std::size_t copy) {
              const float* const table = position->front().data();
              embed<Bf16>(ids->front().data() + copy * tokens, (*at)[copy].data(),
                          word->front().data(), table, table, norm.weights, tokens,
                          (*y)[copy].data(), stream.get());
            };
          }};
}

Operation input(std::size_t d, const Rows& rows) {
  const std::size_t tokens = rows.tokens();
  constexpr std::size_t kStates = 5;
  // Rows of a sentence follow each other and begin at its first token.
  auto context_token = std::make_shared<std::vector<std::uint32_t>>();
  std::size_t context_tokens = 0;
  for (std::size_t row = 0; row < rows.count(); row += kRowsOfASentence) {
    std::uint32_t longest = 0;
    for (std::size_t i = row; i < std::min(row + kRowsOfASentence, rows.count()); ++i) {
      const std::uint32_t length = rows.offsets[i + 1] - rows.offsets[i];
      longest = std::max(longest, length);
      for (std::uint32_t at = 0; at < length; ++at) {
        context_token->push_back(static_cast<std::uint32_t>(context_tokens) + at);
      }
    }
    context_tokens += longest;
  }
  return {.name = "tags, context, norm",
          .shape = fmt::format("{}", d),
          .flop = (kNormFlop + 1) * number(tokens * d),
          .bytes = number(tokens) * 5 + kBf16 * number((tokens + context_tokens) * d),
          .make = [=](const Place& place, std::size_t copies) -> Call {
            const NormPlace norm(place.data, d);
            const auto context = random_copies(place.data, copies, context_tokens * d);
            const auto from = copies_of(copies, *context_token);
            const auto states = copies_of(copies, random_below<std::uint8_t>(tokens, kStates));
            const auto table = copies_of(1, place.data.floats(kStates * d));
            const auto y = random_copies(place.data, copies, tokens * d);
            return [=, &stream = place.stream](std::size_t copy) {
              row_input<Bf16>((*context)[copy].data(), (*from)[copy].data(), table->front().data(),
                              (*states)[copy].data(), norm.weights, tokens, (*y)[copy].data(),
                              stream.get());
            };
          }};
}

Operation head(const std::string& name, std::size_t rows, std::size_t d, std::size_t outputs) {
  return {.name = name,
          .shape = fmt::format("{} x {}", outputs, d),
          .flop = 2 * number(rows * d * outputs),
          .bytes = kBf16 * number(rows * d) + kFloat * number(rows * outputs),
          .make = [=](const Place& place, std::size_t copies) -> Call {
            const auto x = random_copies(place.data, copies, rows * d);
            const auto weight = copies_of(1, place.data.floats(outputs * d));
            const auto bias = copies_of(1, place.data.floats(outputs));
            const auto out = copies_of(copies, std::vector<float>(rows * outputs));
            const auto kernel = outputs == kNumTags ? tag_head<Bf16> : judge_head<Bf16>;
            return [=, &stream = place.stream](std::size_t copy) {
              kernel((*x)[copy].data(), weight->front().data(), bias->front().data(), d, rows,
                     (*out)[copy].data(), stream.get());
            };
          }};
}

Operation means(std::size_t d, const Rows& rows) {
  const std::size_t tokens = rows.tokens(), count = rows.count();
  return {.name = "means over tags",
          .shape = fmt::format("{} x {}", kNumTags, d),
          .flop = number(tokens * d),
          .bytes = number(tokens) + kBf16 * number((tokens + count * kNumTags) * d),
          .make = [=](const Place& place, std::size_t copies) -> Call {
            const auto x = random_copies(place.data, copies, tokens * d);
            const auto tags = copies_of(copies, random_below<std::uint8_t>(tokens, kNumTags));
            const auto offsets = copies_of(1, rows.offsets);
            const auto out = random_copies(place.data, copies, count * kNumTags * d);
            return [=, &stream = place.stream](std::size_t copy) {
              tag_means<Bf16>((*x)[copy].data(), (*tags)[copy].data(), offsets->front().data(),
                              count, d, (*out)[copy].data(), stream.get());
            };
          }};
}

double mean_length(const Rows& rows) { return number(rows.tokens()) / number(rows.count()); }

}  // namespace

Rows Rows::of(std::size_t tokens, std::size_t mean_length) {
  std::mt19937 generator(3);
  Rows rows{{0}};
  while (rows.tokens() < tokens) {
    const std::size_t length = mean_length * 2 / 5 + generator() % (mean_length * 6 / 5 + 1);
    rows.offsets.push_back(static_cast<std::uint32_t>(std::min(rows.tokens() + length, tokens)));
  }
  return rows;
}

NetworkOperations encoder_operations(const model_dir::ModelConfig& config, const Rows& rows) {
  const auto d = static_cast<std::size_t>(config.encoder.hidden);
  const auto middle = static_cast<std::size_t>(config.encoder.intermediate);
  const auto heads = static_cast<std::size_t>(config.encoder.heads);
  const auto layers = static_cast<std::size_t>(config.encoder.layers);
  const std::size_t tokens = rows.tokens();
  std::vector<Operation> all = {
      embedding(config.encoder, rows),
      product("qkv", layers, tokens, 3 * d, d),
      attend(layers, rows, heads, d / heads),
      product("output, residual", layers, tokens, d, d, Activation::kNone, Residual::kYes),
      norm("norm", 2 * layers, tokens, d),
      product("up, gelu", layers, tokens, middle, d, Activation::kGelu),
      product("down, residual", layers, tokens, d, middle, Activation::kNone, Residual::kYes),
      product("context for denoiser", 1, tokens, static_cast<std::size_t>(config.denoiser.hidden),
              d)};
  if (config.judge) {
    all.push_back(
        product("context for judge", 1, tokens, static_cast<std::size_t>(config.judge->hidden), d));
  }
  return {tokens, mean_length(rows), std::move(all)};
}

NetworkOperations row_operations(const RowNetworkShape& shape, const Rows& rows) {
  const auto d = static_cast<std::size_t>(shape.config.hidden);
  const auto heads = static_cast<std::size_t>(shape.config.heads);
  const auto layers = static_cast<std::size_t>(shape.config.layers);
  const std::size_t tokens = rows.tokens(), count = rows.count();
  std::vector<Operation> all = {
      input(d, rows),
      norm("norm", 2 * layers, tokens, d),
      product("qkv", layers, tokens, 3 * d, d),
      attend(layers, rows, heads, d / heads),
      product("out, residual", layers, tokens, d, d, Activation::kNone, Residual::kYes),
      product("up, gelu", layers, tokens, 4 * d, d, Activation::kGelu),
      product("down, residual", layers, tokens, d, 4 * d, Activation::kNone, Residual::kYes),
      norm("last norm, residual", 1, tokens, d, Residual::kYes)};
  if (shape.judges) {
    all.push_back(means(d, rows));
    all.push_back(product("pool, gelu", 1, count, d, kNumTags * d, Activation::kGelu));
    all.push_back(head("head", count, d, model_dir::kNumJudgements));
  } else {
    all.push_back(head("head", tokens, d, kNumTags));
  }
  return {tokens, mean_length(rows), std::move(all)};
}

}  // namespace diffie::cuda
