// Every system call of a run on a file of its fails once, in every way that it can, and every run
// is killed at every such call: what is said, what stands under the final name, and what a run that
// is resumed makes of it.
#include <sys/stat.h>

#include <thread>

#include "diffie/lab/model_files.h"
#include "faults/fault_points.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;
using test::Fault;
using test::FaultyRun;
using test::kDeaths;
using test::kErrors;
using test::kHarmless;
using test::messages;
using test::number;
using test::run_with_fault;

class IoFaults : public test::FaultPoints {
 protected:
  void SetUp() override {
    test::write_file(folder_ / "vocab.txt",
                     "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ncat\nsat\non\na\nmat\n.\nanna\nhas\n##s\n");
    InitOptions options;
    options.vocab = folder_ / "vocab.txt";
    options.encoder_hidden = options.denoiser_hidden = 8;
    options.encoder_layers = options.denoiser_layers = 1;
    options.encoder_heads = options.denoiser_heads = 1;
    init_model(folder_ / "model", options);
    std::string text;
    for (int i = 0; i < 40; ++i) text += "Anna has the cat " + std::to_string(i) + " on a mat.\n\n";
    test::write_file(folder_ / "one.txt", text);
    test::write_file(folder_ / "two.txt", "A mat has the cat.\n");
  }

  static std::string extract(const std::string& more) {
    return "extract -m ./model --preset paper --samples 8 --steps 2 -t 1 one.txt two.txt " + more;
  }

  void expect_only(const std::vector<std::string>& more) const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename());
    std::vector<std::string> wanted = {"model", "one.txt", "two.txt", "vocab.txt"};
    wanted.insert(wanted.end(), more.begin(), more.end());
    std::sort(names.begin(), names.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(names, wanted);
  }
};

// Calls that make, write and remove the output; what is read does not depend on the format.
std::vector<Fault> of_output(std::vector<Fault> faults, bool all) {
  if (!all) std::erase_if(faults, [](const Fault& fault) { return fault.call == "read"; });
  return faults;
}

// A run whose output has its place when it is complete.
class Resumed : public IoFaults, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    IoFaults::SetUp();
    const std::string format = GetParam();
    whole_run_ = extract("-f " + format + " -o whole");
    const FaultyRun run = run_with_fault(folder_.path(), whole_run_);
    if (run.err.find("without Arrow") != std::string::npos) GTEST_SKIP() << run.err;
    ASSERT_EQ(run.exit_code, 0) << run.err;
    whole_ = content("whole");
    ASSERT_GT(whole_.size(), 200u);
    fs::remove_all(folder_ / "whole");
    run_ = extract("-f " + format + " -o out --resume");
  }

  // Whatever happened before it.
  void expect_resumable() {
    // A folder that is complete is not made again.
    const bool done = fs::is_directory(folder_ / "out") && !fs::exists(folder_ / "out.journal");
    const FaultyRun again = run_with_fault(folder_.path(), run_);
    EXPECT_EQ(again.exit_code, done ? 2 : 0) << again.err;
    EXPECT_TRUE(content("out") == whole_);
    EXPECT_FALSE(fs::exists(folder_ / "out.journal"));
    EXPECT_FALSE(fs::exists(folder_ / "out.part"));
    fs::remove_all(folder_ / "out");
  }

  const bool all_ = GetParam() == std::string("jsonl");
  std::string whole_run_, run_, whole_;
};

TEST_P(Resumed, NothingIsLostBySignalsAndShortCalls) {
  at_every_call(of_output(kHarmless, all_), run_, [&](const FaultyRun& run, const Fault&) {
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_TRUE(messages(run.err).empty());
    EXPECT_TRUE(content("out") == whole_);
    fs::remove_all(folder_ / "out");
    expect_only({});
  });
}

TEST_P(Resumed, ErrorsAreSaidAndLeaveNothingHalf) {
  at_every_call(of_output(kErrors, all_), run_, [&](const FaultyRun& run, const Fault& fault) {
    const std::string found = content("out");
    if (run.exit_code != 0) {
      expect_said(run, fault);
      // A text that cannot be read is named, and the others are done.
      const bool text = run.exit_code == 1;
      EXPECT_EQ(text, messages(run.err)[0].find("diffie: one.txt: ") == 0 ||
                          messages(run.err)[0].find("diffie: two.txt: ") == 0);
      EXPECT_TRUE(text || found.empty() || found == whole_);
    } else {
      EXPECT_TRUE(messages(run.err).empty());
      EXPECT_TRUE(found == whole_);
    }
    if (run.exit_code == 1) fs::remove_all(folder_ / "out");
    if (fault.call == "unlink") fs::remove_all(folder_ / "out.part");  // the mark that was in it
    expect_resumable();
    expect_only({});
  });
}

TEST_P(Resumed, DeathAtAnyCallIsMadeGood) {
  at_every_call(of_output(kDeaths, all_), run_, [&](const FaultyRun& run, const Fault&) {
    EXPECT_EQ(run.exit_code, run.happened ? 137 : 0);
    const std::string found = content("out");
    EXPECT_TRUE(found.empty() || found == whole_);
    if (!run.happened) fs::remove_all(folder_ / "out");
    expect_resumable();
    expect_only({});
  });
}

// What dies while it goes on where another died.
TEST_P(Resumed, DeathOfTheRunThatGoesOnIsMadeGood) {
  const Fault at_the_end{"rename", "kill"};
  const std::vector<Fault> faults = {{"read", number(EIO)}, {"write", "tear"},  {"open", "kill"},
                                     {"rename", "kill"},    {"unlink", "kill"}, {"close", "kill"}};
  for (const Fault& fault : of_output(faults, all_)) {
    for (std::size_t k = 0;; k += stride_of(fault)) {
      // All is extracted, nothing is in its place.
      ASSERT_TRUE(run_with_fault(folder_.path(), run_, &at_the_end).happened);
      ASSERT_FALSE(fs::exists(folder_ / "out"));
      const std::string journal = content("out.journal");
      ASSERT_FALSE(journal.empty());
      const FaultyRun run = run_with_fault(folder_.path(), run_, &fault, k);
      SCOPED_TRACE(fmt::format("{} {} {}: {}", fault.call, k, fault.how, run.err));
      const std::string found = content("out");
      EXPECT_TRUE(found.empty() || found == whole_ || run.exit_code == 1);
      // What was extracted is kept until the output is there.
      EXPECT_TRUE(content("out.journal") == journal || !found.empty());
      if (run.exit_code == 1 || !run.happened) fs::remove_all(folder_ / "out");
      expect_resumable();
      if (testing::Test::HasFailure()) return;
      if (!run.happened) break;
      ++points_["again " + fault.call];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Resumed, testing::Values("jsonl", "neo4j", "html", "parquet"),
                         [](const auto& format) { return std::string(format.param); });

// An old output stays until the new one is complete.
TEST_F(IoFaults, AnOldOutputStaysUntilTheNewOneIsThere) {
  const std::string run = extract("-f jsonl -o out");
  ASSERT_EQ(run_with_fault(folder_.path(), run).exit_code, 0);
  const std::string whole = content("out");
  for (const std::vector<Fault>& faults : {kErrors, kDeaths}) {
    at_every_call(of_output(faults, false), run, [&](const FaultyRun& done, const Fault&) {
      const std::string found = content("out");
      EXPECT_TRUE(found == "old" || found == whole || done.exit_code == 1);
      test::write_file(folder_ / "out", "old");
      fs::remove_all(folder_ / "out.part");
    });
  }
}

TEST_F(IoFaults, StandardOutputIsWholeOrTheCodeSaysSo) {
  const std::string run = extract("-f jsonl >out");
  ASSERT_EQ(run_with_fault(folder_.path(), run).exit_code, 0);
  const std::string whole = content("out");
  at_every_call(kHarmless, run, [&](const FaultyRun& done, const Fault&) {
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_TRUE(content("out") == whole);
  });
  at_every_call(kErrors, run, [&](const FaultyRun& done, const Fault& fault) {
    if (done.exit_code == 0) {
      EXPECT_TRUE(content("out") == whole);
      return;
    }
    expect_said(done, fault);
    EXPECT_EQ(fault.call == "write",
              done.err.find("standard output: writing failed") != std::string::npos);
  });
}

TEST_F(IoFaults, VerifyingSaysWhatCannotBeRead) {
  const std::string run = "model verify ./model";
  ASSERT_EQ(run_with_fault(folder_.path(), run).exit_code, 0);
  at_every_call(kErrors, run, [&](const FaultyRun& done, const Fault& fault) {
    if (done.exit_code == 0) {
      EXPECT_TRUE(!done.happened || fault.call == "close");
      return;
    }
    EXPECT_NE((done.out + done.err).find(std::strerror(std::atoi(fault.how.c_str()))),
              std::string::npos);
  });
}

// What the system does without our help.
TEST_F(IoFaults, FoldersThatCannotBeWritten) {
  for (const char* place : {"gone/out", "/proc/out", "/dev/null/out"}) {
    for (const char* more : {"", " --resume"}) {
      const FaultyRun run =
          run_with_fault(folder_.path(), extract(fmt::format("-f jsonl -o {}{}", place, more)));
      EXPECT_EQ(run.exit_code, 2) << place;
      EXPECT_EQ(messages(run.err).size(), 1u) << run.err;
      EXPECT_NE(run.err.find(place), std::string::npos) << run.err;
    }
  }
}

// A pipe is written to and a link stays a link. (/dev/null and /dev/stdout were replaced once: no
// test of root's may try.)
TEST_F(IoFaults, PipesAndLinksStayWhatTheyAre) {
  const std::string whole = run_with_fault(folder_.path(), extract("-f jsonl")).out;
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = test::read_file(folder_ / "pipe"); });
  const FaultyRun run = run_with_fault(folder_.path(), extract("-f jsonl -o pipe"));
  reader.join();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(got == whole);
  EXPECT_TRUE(fs::is_fifo(folder_ / "pipe"));

  fs::create_directory(folder_ / "there");
  test::write_file(folder_ / "there/target", "old");
  fs::create_symlink("there/target", folder_ / "link");
  EXPECT_EQ(run_with_fault(folder_.path(), extract("-f jsonl -o link")).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_TRUE(content("there/target") == whole);
  EXPECT_EQ(test::count_files(folder_ / "there"), 1u);
}

// The folder of the output is removed while the run waits for its input.
TEST_F(IoFaults, OutputFoldersThatGoAway) {
  for (const std::string more : {"", "--resume"}) {
    fs::create_directory(folder_ / "place");
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    std::thread writer([&] {
      std::ofstream pipe(folder_ / "pipe");
      while (!fs::exists(folder_ / "place/out.part/content")) std::this_thread::yield();
      fs::remove_all(folder_ / "place");
      pipe << "A cat sat.\n";
    });
    const FaultyRun gone = run_with_fault(
        folder_.path(), fmt::format("extract -m ./model --preset paper --samples 8 --steps 2 "
                                    "-f jsonl -o place/out {} <pipe",
                                    more));
    writer.join();
    EXPECT_EQ(gone.exit_code, 2) << gone.err;
    EXPECT_NE(gone.err.find(more.empty() ? "place/out: cannot be renamed into place"
                                         : "place/out.journal: cannot be created"),
              std::string::npos)
        << gone.err;
    fs::remove(folder_ / "pipe");
  }
}

}  // namespace
}  // namespace diffie
