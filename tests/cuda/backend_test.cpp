// The networks on the GPU against those on the CPU, on the shipped models.
#include <cmath>
#include <random>

#include "cuda/cuda_backend.h"
#include "model/cpu_backend.h"
#include "need_gpu.h"

namespace diffie::cuda {
namespace {

using model::Judgement;

// Sentences of random pieces, and rows of random states about them.
struct Questions {
  std::vector<std::int32_t> ids;
  std::vector<std::uint32_t> offsets = {0};
  std::vector<std::uint32_t> row_offsets = {0}, begins;
  std::vector<std::uint8_t> states, tags;

  void add_sentence(std::uint32_t length, std::size_t rows) {
    const auto first = static_cast<std::uint32_t>(ids.size());
    for (std::uint32_t i = 0; i < length + 2; ++i) {
      ids.push_back(static_cast<std::int32_t>(generator() % 30000));
    }
    offsets.push_back(static_cast<std::uint32_t>(ids.size()));
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::uint32_t i = 0; i < length; ++i) {
        states.push_back(static_cast<std::uint8_t>(generator() % 5));
        tags.push_back(static_cast<std::uint8_t>(generator() % 4));
      }
      begins.push_back(first + 1);
      row_offsets.push_back(static_cast<std::uint32_t>(states.size()));
    }
  }

  std::mt19937 generator{3};
};

struct Answers {
  std::vector<float> logits;
  std::vector<Judgement> judgements;
};

Answers ask(const model::Backend& backend, const Questions& questions) {
  const auto runner = backend.make_runner(true);
  const auto context = runner->make_context();
  runner->encode(questions.ids, questions.offsets, *context);
  Answers answers;
  answers.logits.resize(questions.states.size() * 4);
  answers.judgements.resize(questions.begins.size());
  const model::RowBatch rows{questions.row_offsets, questions.begins};
  runner->denoise(*context, rows, questions.states, 12, answers.logits);
  runner->judge(*context, rows, questions.tags, answers.judgements);
  return answers;
}

class BackendTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    NEED_GPU();
    for (const std::uint32_t length : {1, 9, 36, 64, 65, 200, 510}) {
      questions_.add_sentence(length, 3 + length % 4);
    }
  }
  model_dir::ModelDir open() const {
    return model_dir::ModelDir::open(std::string(DIFFIE_SOURCE_DIR "/models/") + GetParam());
  }

  Questions questions_;
};

TEST_P(BackendTest, Fp32AgreesWithTheCpu) {
  const Answers want = ask(model::CpuBackend(open(), Precision::kFp32), questions_);
  const Answers found = ask(*make_backend(open(), Precision::kFp32), questions_);
  float worst = 0;
  for (std::size_t i = 0; i < want.logits.size(); ++i) {
    ASSERT_NEAR(found.logits[i], want.logits[i], 1e-3) << i;
    worst = std::max(worst, std::abs(found.logits[i] - want.logits[i]));
  }
  for (std::size_t i = 0; i < want.judgements.size(); ++i) {
    ASSERT_NEAR(found.judgements[i].exact, want.judgements[i].exact, 1e-4) << i;
    ASSERT_NEAR(found.judgements[i].lenient, want.judgements[i].lenient, 1e-4) << i;
  }
  RecordProperty("worst", std::to_string(worst));
  std::printf("%s fp32: logits within %g\n", GetParam(), static_cast<double>(worst));
}

// Narrow floats, against fp32 on the CPU.
void expect_close(const Answers& found, const Answers& want, double bound,
                  const std::string& name) {
  double squares = 0, size = 0;
  for (std::size_t i = 0; i < want.logits.size(); ++i) {
    ASSERT_TRUE(std::isfinite(found.logits[i])) << i;
    squares += std::pow(found.logits[i] - want.logits[i], 2);
    size += std::pow(want.logits[i], 2);
  }
  EXPECT_LT(std::sqrt(squares / size), bound);
  std::printf("%s: relative error of the logits %g\n", name.c_str(), std::sqrt(squares / size));
  for (std::size_t i = 0; i < want.judgements.size(); ++i) {
    EXPECT_NEAR(found.judgements[i].exact, want.judgements[i].exact, 0.1) << i;
  }
}

TEST_P(BackendTest, NarrowFloatsAreClose) {
  const Answers want = ask(model::CpuBackend(open(), Precision::kFp32), questions_);
  const std::string model = GetParam();
  expect_close(ask(*make_backend(open(), Precision::kInt8), questions_), want, 0.03,
               model + " bf16");
  expect_close(ask(*make_backend(open(), Precision::kFp16), questions_), want, 0.01,
               model + " fp16");
}

TEST_P(BackendTest, ASentenceDoesNotKnowItsCompany) {
  for (const Precision precision : {Precision::kInt8, Precision::kFp32, Precision::kFp16}) {
    const auto backend = make_backend(open(), precision);
    Questions alone;
    alone.add_sentence(36, 5);
    const Answers want = ask(*backend, alone);
    Questions many = alone;
    for (std::uint32_t i = 0; i < 400; ++i) many.add_sentence(10 + i % 70, 3);
    const Answers found = ask(*backend, many);
    for (std::size_t i = 0; i < want.logits.size(); ++i) {
      ASSERT_EQ(found.logits[i], want.logits[i]) << i;
    }
    for (std::size_t i = 0; i < want.judgements.size(); ++i) {
      ASSERT_EQ(found.judgements[i], want.judgements[i]) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, BackendTest, testing::Values("small", "base"));

}  // namespace
}  // namespace diffie::cuda
