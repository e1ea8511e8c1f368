// C's allocations fail, those of OpenSSL too: a run is refused with one line, or does without and
// gives the right output; none crashes. Not those of ICU, which ends the process while it builds
// its sentence rules (SimpleFilteredBreakIteratorBuilder::build of ICU 72): hence --lines.
#include <gtest/gtest.h>

#include "diffie/lab/model_files.h"
#include "faults/faulty_run.h"

namespace diffie {
namespace {

TEST(MallocFaults, EndInALineOrInTheRightOutput) {
  const test::TempDir folder;
  test::write_file(folder / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ncat\nsat\non\na\nmat\n");
  InitOptions options;
  options.vocab = folder / "vocab.txt";
  options.encoder_hidden = options.denoiser_hidden = 8;
  options.encoder_layers = options.denoiser_layers = 1;
  options.encoder_heads = options.denoiser_heads = 1;
  init_model(folder / "model", options);
  test::write_file(folder / "one.txt", "The cat sat. On a mat, the cat sat.\n\nA cat.\n");
  const std::string run =
      "extract -m ./model --preset paper --samples 8 --steps 2 -t 1 -f jsonl --lines one.txt -o "
      "out";
  ASSERT_EQ(test::run_with_fault(folder.path(), run).exit_code, 0);
  const std::string whole = test::read_file(folder / "out");
  std::filesystem::remove(folder / "out");

  const test::Fault fault{"malloc", "0"};
  std::size_t tried = 0, refused = 0;
  for (std::size_t k = 0;; k += test::stride(41), ++tried) {
    const test::FaultyRun done = test::run_with_fault(folder.path(), run, &fault, k);
    SCOPED_TRACE(fmt::format("allocation {}: exit {}, {}", k, done.exit_code, done.err));
    if (done.exit_code == 0) {
      EXPECT_TRUE(test::read_file(folder / "out") == whole);
    } else {
      ++refused;
      EXPECT_TRUE(done.exit_code == 1 || done.exit_code == 2);
      EXPECT_NE(done.err.find("diffie: "), std::string::npos);
      EXPECT_TRUE(done.exit_code == 1 || !std::filesystem::exists(folder / "out"));
    }
    std::filesystem::remove(folder / "out");
    if (testing::Test::HasFailure()) return;
    if (!done.happened) break;
  }
  EXPECT_GT(refused, 10u);
  fmt::print("{} allocations failed, {} runs were refused\n", tried, refused);
  RecordProperty("tried", static_cast<int>(tried));
}

}  // namespace
}  // namespace diffie
