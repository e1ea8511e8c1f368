// The shipped models' triples, bit for bit, as they were when the files under golden_extract/ were
// made: `DIFFIE_CPU_ISA=avx2 diffie extract --model M --preset P --format jsonl --lines FILE`.
// Whatever is meant to keep the output as it is, a refactoring or a faster kernel, must pass here;
// whatever is meant to change it makes the files anew.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>

#include "cli/run_program.h"
#include "temp_dir.h"

namespace diffie {
namespace {

const std::string kFolder = DIFFIE_SOURCE_DIR "/tests/cli/golden_extract/";

bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

class GoldenExtract : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(GoldenExtract, EqualsTheFileBitForBit) {
  if (!has_avx2()) GTEST_SKIP() << "the files were made with AVX2";
  const auto& [model, preset] = GetParam();
  ASSERT_EQ(setenv("DIFFIE_CPU_ISA", "avx2", 1), 0);
  const ProgramRun run =
      run_program("extract --model " DIFFIE_SOURCE_DIR "/models/" + model + " --preset " + preset +
                  " --format jsonl --lines '" + kFolder + "sentences.txt'");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, test::read_file(kFolder + model + "-" + preset + ".jsonl"));
}

INSTANTIATE_TEST_SUITE_P(Shipped, GoldenExtract,
                         testing::Combine(testing::Values("small", "base"),
                                          testing::Values("fast", "balanced", "best")),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" + std::get<1>(test.param);
                         });

// Uniform noise, of which no model is shipped: random weights, sampled as the paper does and with
// rows shared and spread.
TEST(GoldenExtractUniform, EqualsTheFilesBitForBit) {
  if (!has_avx2()) GTEST_SKIP() << "the files were made with AVX2";
#ifndef DIFFIE_LAB
  GTEST_SKIP() << "built without the lab, which makes the model";
#endif
  const test::TempDir dir;
  const std::string model = (dir.path() / "model").string();
  ASSERT_EQ(setenv("DIFFIE_CPU_ISA", "avx2", 1), 0);
  const ProgramRun made =
      run_program("model init --vocab " DIFFIE_SOURCE_DIR
                  "/share/bert-base-uncased/vocab.txt --kernel uniform --weights int8 --seed 5 '" +
                  model + "'");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::pair<const char*, const char*> ways[] = {
      {"paper", "--preset paper --samples 64"},
      {"shared",
       "--preset balanced --samples 128 --steps 3 --times 16,11,6 --shared 128,8,4 --stratified"}};
  for (const auto& [name, options] : ways) {
    const ProgramRun run = run_program("extract --model '" + model + "' " + options +
                                       " --format jsonl --lines '" + kFolder + "sentences.txt'");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, test::read_file(kFolder + "uniform-" + name + ".jsonl")) << name;
  }
}

}  // namespace
}  // namespace diffie
