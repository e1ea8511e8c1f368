#include "model/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "base/checked_size.h"
#include "diffie/lab/model_files.h"
#include "expect_error.h"
#include "lab/models/model_dir_write.h"
#include "temp_dir.h"

namespace diffie::model {
namespace {

using Numbers = std::vector<double>;

constexpr std::size_t kHidden = 12, kHeads = 3, kContext = 20, kTokens = 50;

// A model whose every tensor is random, biases and norms too.
void write_model(const std::filesystem::path& dir) {
  model_dir::ModelConfig config;
  config.name = "judged";
  config.encoder = {1, kContext, 2, 8, 4, 16, 2, 1e-12};
  config.denoiser = {1, 4, 2, 1e-5};
  config.judge = {2, kHidden, kHeads, 1e-5};
  config.presets = model_dir::standard_presets(config.diffusion);
  std::mt19937 generator(1);
  std::normal_distribution<float> normal(0, 0.4f);
  std::map<std::string, std::vector<float>> values;
  std::vector<model_dir::TensorView> tensors;
  for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(config)) {
    std::vector<float>& numbers = values[spec.name];
    numbers.resize(*base::checked_size(spec.shape));
    for (float& number : numbers) number = normal(generator);
    tensors.push_back(
        {spec.name, model_dir::DType::kF32, spec.shape, std::as_bytes(std::span(numbers))});
  }
  lab::write_model_dir(dir, {config, tensors, "[PAD]\n[UNK]\n[CLS]\n[SEP]\n", "# Judged\n"});
}

// The judge of docs/model-file.md, one row at a time, in double precision.
class Reference {
 public:
  explicit Reference(const model_dir::ModelDir& dir) : dir_(dir) {}

  Judgement judge(std::span<const float> context, std::span<const std::uint8_t> tags) const {
    const std::size_t length = tags.size();
    std::vector<Numbers> input;
    for (std::size_t i = 0; i < length; ++i) {
      const Numbers tag = tensor("tag.weight");
      Numbers both(tag.begin() + tags[i] * kHidden, tag.begin() + (tags[i] + 1) * kHidden);
      const Numbers seen = linear(
          "context", Numbers(context.begin() + i * kContext, context.begin() + (i + 1) * kContext));
      both.insert(both.end(), seen.begin(), seen.end());
      input.push_back(norm("input_norm", linear("fuse", both)));
    }
    std::vector<Numbers> x = input;
    for (const char* name : {"blocks.0.", "blocks.1."}) block(name, x);
    Numbers means(4 * kHidden);
    for (std::size_t tag = 0; tag < 4; ++tag) {
      const auto count = static_cast<double>(std::count(tags.begin(), tags.end(), tag));
      for (std::size_t i = 0; i < length; ++i) {
        const Numbers last = norm("final_norm", sum(x[i], input[i]));
        for (std::size_t j = 0; tags[i] == tag && j < kHidden; ++j)
          means[tag * kHidden + j] += last[j] / count;
      }
    }
    Numbers pooled = linear("pool", means);
    std::transform(pooled.begin(), pooled.end(), pooled.begin(), gelu);
    const Numbers logits = linear("head", pooled);
    return {static_cast<float>(1 / (1 + std::exp(-logits[0]))),
            static_cast<float>(1 / (1 + std::exp(-logits[1])))};
  }

 private:
  static double gelu(double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }
  static Numbers sum(Numbers a, const Numbers& b) {
    std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::plus());
    return a;
  }

  Numbers tensor(const std::string& name) const {
    const model_dir::TensorView& view = dir_.tensor("judge." + name);
    std::vector<float> values(view.num_elements());
    model_dir::to_f32(view, nullptr, values);
    return Numbers(values.begin(), values.end());
  }

  Numbers linear(const std::string& name, const Numbers& x) const {
    const Numbers weight = tensor(name + ".weight");
    Numbers y = tensor(name + ".bias");
    for (std::size_t i = 0; i < y.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += weight[i * x.size() + j] * x[j];
    return y;
  }

  Numbers norm(const std::string& name, Numbers x) const {
    const auto size = static_cast<double>(x.size());
    double mean = 0, variance = 0;
    for (const double value : x) mean += value / size;
    for (const double value : x) variance += (value - mean) * (value - mean) / size;
    const Numbers gamma = tensor(name + ".weight"), beta = tensor(name + ".bias");
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = (x[i] - mean) / std::sqrt(variance + 1e-5) * gamma[i] + beta[i];
    return x;
  }

  void block(const std::string& name, std::vector<Numbers>& x) const {
    std::vector<Numbers> qkv;
    for (const Numbers& token : x) qkv.push_back(linear(name + "qkv", norm(name + "norm1", token)));
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = sum(x[i], linear(name + "out", attend(qkv, i)));
      Numbers middle = linear(name + "up", norm(name + "norm2", x[i]));
      std::transform(middle.begin(), middle.end(), middle.begin(), gelu);
      x[i] = sum(x[i], linear(name + "down", middle));
    }
  }

  static Numbers attend(const std::vector<Numbers>& qkv, std::size_t query) {
    constexpr std::size_t kDim = kHidden / kHeads;
    Numbers out(kHidden);
    for (std::size_t begin = 0; begin < kHidden; begin += kDim) {
      Numbers weights;
      double total = 0;
      for (const Numbers& key : qkv) {
        double dot = 0;
        for (std::size_t i = begin; i < begin + kDim; ++i) dot += qkv[query][i] * key[kHidden + i];
        weights.push_back(std::exp(dot / std::sqrt(static_cast<double>(kDim))));
        total += weights.back();
      }
      for (std::size_t key = 0; key < qkv.size(); ++key)
        for (std::size_t i = begin; i < begin + kDim; ++i)
          out[i] += weights[key] / total * qkv[key][2 * kHidden + i];
    }
    return out;
  }

  const model_dir::ModelDir& dir_;
};

// Rows of several sentences, some with many candidates.
struct Rows {
  std::vector<std::uint32_t> offsets = {0}, begins;
  std::vector<std::uint8_t> tags;

  void add(std::size_t count, std::uint32_t begin, std::uint32_t length, unsigned num_tags = 4) {
    for (std::size_t row = 0; row < count; ++row) {
      for (std::uint32_t i = 0; i < length; ++i)
        tags.push_back(static_cast<std::uint8_t>(generator() % num_tags));
      begins.push_back(begin);
      offsets.push_back(static_cast<std::uint32_t>(tags.size()));
    }
  }
  std::span<const std::uint8_t> tags_of(std::size_t row) const {
    return std::span(tags).subspan(offsets[row], offsets[row + 1] - offsets[row]);
  }

  std::mt19937 generator{7};
};

class JudgeTest : public testing::Test {
 protected:
  JudgeTest() : context(kTokens * kContext) {
    write_model(temp / "fp32");
    std::mt19937 generator(2);
    std::normal_distribution<float> normal(0, 1);
    for (float& value : context) value = normal(generator);
    rows.add(3, 0, 9);
    rows.add(20, 5, 23);
    rows.add(1, 49, 1);
    rows.add(9, 30, 20, 2);  // no relation, no object
    rows.add(2, 30, 19);
    rows.add(1, 3, 0);
    rows.add(8, 0, 50);
  }

  std::vector<Judgement> run(const Judge& judge, const Rows& asked) {
    std::vector<float> projected(kTokens * kHidden);
    judge.project_context(context, kTokens, projected, workspace);
    std::vector<Judgement> judgements(asked.begins.size());
    judge.forward(projected, {asked.offsets, asked.begins}, asked.tags, judgements, workspace);
    return judgements;
  }

  void expect_same_alone(const Judge& judge) {
    const std::vector<Judgement> together = run(judge, rows);
    for (std::size_t row = 0; row < rows.begins.size(); ++row) {
      Rows one;
      one.begins = {rows.begins[row]};
      one.tags.assign(rows.tags_of(row).begin(), rows.tags_of(row).end());
      one.offsets.push_back(static_cast<std::uint32_t>(one.tags.size()));
      ASSERT_EQ(run(judge, one).front(), together[row]) << row;
    }
  }

  test::TempDir temp;
  Workspace workspace;
  std::vector<float> context;
  Rows rows;
};

TEST_F(JudgeTest, ComputesWhatThePlainFormulasSay) {
  const model_dir::ModelDir dir = model_dir::ModelDir::open(temp / "fp32");
  const std::vector<Judgement> found = run(Judge(dir), rows);
  const Reference reference(dir);
  for (std::size_t row = 0; row < found.size(); ++row) {
    const Judgement want = reference.judge(
        std::span<const float>(context).subspan(rows.begins[row] * kContext), rows.tags_of(row));
    EXPECT_NEAR(found[row].exact, want.exact, 2e-6) << row;
    EXPECT_NEAR(found[row].lenient, want.lenient, 2e-6) << row;
  }
  EXPECT_NE(found[0], found[1]);
}

TEST_F(JudgeTest, RowIsTheSameBitsInAnyBatch) {
  expect_same_alone(Judge(model_dir::ModelDir::open(temp / "fp32")));
}

TEST_F(JudgeTest, Int8IsCloseToFp32AndTheSameBitsInAnyBatch) {
  convert_model(temp / "fp32", temp / "int8", WeightType::kI8);
  const model_dir::ModelDir dir = model_dir::ModelDir::open(temp / "int8");
  EXPECT_EQ(dir.tensor("judge.pool.weight").dtype, model_dir::DType::kI8);
  EXPECT_EQ(dir.tensor("judge.head.weight").dtype, model_dir::DType::kF32);
  const Judge judge(dir);
  expect_same_alone(judge);
  const std::vector<Judgement> fast = run(judge, rows);
  const std::vector<Judgement> exact = run(Judge(dir, Precision::kFp32), rows);
  EXPECT_NE(fast, exact);
  for (std::size_t row = 0; row < fast.size(); ++row) {
    EXPECT_NEAR(fast[row].exact, exact[row].exact, 0.05) << row;
    EXPECT_NEAR(fast[row].lenient, exact[row].lenient, 0.05) << row;
  }
}

TEST_F(JudgeTest, RefusesWhatDoesNotFit) {
  const Judge judge(model_dir::ModelDir::open(temp / "fp32"));
  const auto code = ErrorCode::kInvalidArgument;
  Rows mask;
  mask.add(1, 0, 1);
  mask.tags[0] = 4;
  EXPECT_ERROR(run(judge, mask), code, "judge: state 4, wanted 0 to 3");
  Rows far;
  far.add(1, 49, 2);
  EXPECT_ERROR(run(judge, far), code, "judge: row 0 reaches token 51 of a context of 50");
  std::vector<float> projected(kTokens * kHidden);
  std::vector<Judgement> few(1);
  EXPECT_ERROR(judge.forward(projected, {rows.offsets, rows.begins}, rows.tags, few, workspace),
               code, "judge: room for 1 judgements");
  EXPECT_TRUE(run(judge, Rows{}).empty());
}

}  // namespace
}  // namespace diffie::model
