// What the lab writes: whatever call on a file fails, and wherever it is killed, under the final
// name stands what was there before, or nothing, or all of the new; and the command, given again,
// makes it whole.
#include "diffie/lab/model_files.h"
#include "faults/fault_points.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;
using test::Fault;
using test::FaultyRun;
using test::run_with_fault;
using test::write_file;

struct Command {
  const char* name;
  const char* arguments;  // writes out
};

constexpr const char* kRankTrain =
    "rank train --pools pool.jsonl --gold rows.tsv --trees 2 --depth 2 --out out";

constexpr Command kCommands[] = {
    {"init", "model init out --vocab vocab.txt --encoder-hidden 8 --denoiser-hidden 8"},
    {"convert", "model convert model out --weights int8"},
    {"align", "data align rows.tsv --out out"},
    {"build", "data build rows.tsv --vocab vocab.txt --exclude none --out out"},
    {"distil", "data distil --pool pool.jsonl --vocab vocab.txt --exclude none --out out"},
    {"treebank", "data treebank trees.conllu --exclude none --rules plain --out out"},
    {"sweep", "sweep --pool pool.jsonl --gold gold.tsv --out out"},
    {"rank", kRankTrain}};

class LabFaults : public test::FaultPoints {
 protected:
  void SetUp() override {
    write_file(folder_ / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nann\nmet\nbob\ndan\nleft\n.\n");
    InitOptions options;
    options.vocab = folder_ / "vocab.txt";
    options.encoder_hidden = options.denoiser_hidden = 8;
    init_model(folder_ / "model", options);
    write_file(folder_ / "rows.tsv",
               "Ann met Bob .\tsubject <is> Ann <and> relation <is> met <and> object <is> Bob\n"
               "Dan left Bob .\tsubject <is> Dan <and> relation <is> left <and> object <is> Bob\n");
    write_file(folder_ / "pool.jsonl",
               R"({"sentence": "Ann met Bob .", "words": ["Ann", "met", "Bob", "."], )"
               R"("pool": [["SROB", 3], ["SRBO", 1]]})"
               "\n"
               R"({"sentence": "Dan left Bob .", "words": ["Dan", "left", "Bob", "."], )"
               R"("pool": [["SROB", 4]]})"
               "\n");
    write_file(folder_ / "gold.tsv",
               "Ann met Bob .\tmet\tAnn\tBob\nDan left Bob .\tleft\tDan\tBob\n");
    write_file(folder_ / "trees.conllu",
               "1\tMy\tmy\tPRON\t_\t_\t2\tnmod:poss\t_\t_\n"
               "2\tfriend\tfriend\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
               "3\tmet\tmeet\tVERB\t_\t_\t0\troot\t_\t_\n"
               "4\tDr.\tDr.\tPROPN\t_\t_\t3\tobj\t_\t_\n"
               "5\tLee\tLee\tPROPN\t_\t_\t4\tflat\t_\t_\n");
    before_ = names();
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path()))
      found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

  // What a dead run was writing.
  void remove_others() const {
    for (const std::string& name : names())
      if (std::find(before_.begin(), before_.end(), name) == before_.end())
        fs::remove_all(folder_ / name);
  }

  std::vector<std::string> before_;
};

class LabWrites : public LabFaults, public testing::WithParamInterface<Command> {
 protected:
  void SetUp() override {
    LabFaults::SetUp();
    const FaultyRun run = run_with_fault(folder_.path(), run_);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    whole_ = content("out");
    ASSERT_GT(whole_.size(), 20u);
    fs::remove_all(folder_ / "out");
    ASSERT_EQ(names(), before_);
  }

  // Of the command given again, whatever happened before it.
  void expect_whole_again() {
    if (content("out").empty()) {
      const FaultyRun again = run_with_fault(folder_.path(), run_);
      EXPECT_EQ(again.exit_code, 0) << again.err;
    }
    EXPECT_TRUE(content("out") == whole_);
    fs::remove_all(folder_ / "out");
  }

  const std::string run_ = GetParam().arguments;
  std::string whole_;
};

TEST_P(LabWrites, NothingIsLostBySignalsAndShortCalls) {
  at_every_call(test::kHarmless, run_, [&](const FaultyRun& run, const Fault&) {
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_TRUE(content("out") == whole_);
    fs::remove_all(folder_ / "out");
    EXPECT_EQ(names(), before_);
  });
}

TEST_P(LabWrites, ErrorsAreSaidAndLeaveNothingHalf) {
  at_every_call(test::kErrors, run_, [&](const FaultyRun& run, const Fault& fault) {
    if (run.exit_code != 0) {
      expect_said(run, fault);
      EXPECT_TRUE(content("out").empty());
    }
    expect_whole_again();
    EXPECT_EQ(names(), before_);
  });
}

TEST_P(LabWrites, DeathAtAnyCallIsMadeGood) {
  at_every_call(test::kDeaths, run_, [&](const FaultyRun& run, const Fault&) {
    EXPECT_EQ(run.exit_code, run.happened ? 137 : 0);
    const std::string found = content("out");
    EXPECT_TRUE(found.empty() || found == whole_);
    expect_whole_again();
    remove_others();
  });
}

INSTANTIATE_TEST_SUITE_P(Commands, LabWrites, testing::ValuesIn(kCommands),
                         [](const auto& command) { return std::string(command.param.name); });

// A model that gets a ranker is at every moment the one without or the one with it.
class RankAdd : public LabFaults {
 protected:
  void SetUp() override {
    LabFaults::SetUp();
    ASSERT_EQ(run_with_fault(folder_.path(), kRankTrain).exit_code, 0);
    fs::rename(folder_ / "out", folder_ / "ranker.json");
    fs::copy(folder_ / "model", folder_ / "kept");
    without_ = content("model");
    before_ = names();
    ASSERT_EQ(run_with_fault(folder_.path(), kAdd).exit_code, 0);
    with_ = content("model");
    ASSERT_NE(with_, without_);
    renew();
  }

  // As if nothing had been.
  void renew() const {
    remove_others();
    fs::remove_all(folder_ / "model");
    fs::copy(folder_ / "kept", folder_ / "model");
  }

  static constexpr const char* kAdd = "rank add model ranker.json --presets balanced";
  std::string without_, with_;
};

TEST_F(RankAdd, NothingIsLostBySignalsAndShortCalls) {
  at_every_call(test::kHarmless, kAdd, [&](const FaultyRun& run, const Fault&) {
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_TRUE(content("model") == with_);
    EXPECT_EQ(names(), before_);
    renew();
  });
}

TEST_F(RankAdd, ErrorsAreSaidAndChangeNothing) {
  at_every_call(test::kErrors, kAdd, [&](const FaultyRun& run, const Fault& fault) {
    if (run.exit_code != 0) expect_said(run, fault);
    EXPECT_TRUE(content("model") == (run.exit_code == 0 ? with_ : without_));
    EXPECT_TRUE(fault.call == "unlink" || names() == before_);
    renew();
  });
}

TEST_F(RankAdd, DeathLeavesOneOfTheTwo) {
  at_every_call(test::kDeaths, kAdd, [&](const FaultyRun& run, const Fault&) {
    EXPECT_EQ(run.exit_code, run.happened ? 137 : 0);
    const std::string found = content("model");
    EXPECT_TRUE(found == with_ || found == without_);
    renew();
  });
}

}  // namespace
}  // namespace diffie
