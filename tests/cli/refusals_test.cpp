// What cannot be done is said before anything is extracted, and leaves what is there alone.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "cli/toy_extract.h"
#include "diffie/extractor.h"

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Refusals : public ToyExtract {
 protected:
  static void SetUpTestSuite() {
    ToyExtract::SetUpTestSuite();
    write("a.txt", "The cat sat on the mat.\n");
  }

  // One line that says why, and exit code 2.
  static void expect_refused(const std::string& more, const std::string& why) {
    const ProgramRun run = extract(more + " a.txt");
    EXPECT_EQ(run.exit_code, 2) << more;
    EXPECT_THAT(run.err, HasSubstr("diffie: " + why + "\n")) << more;
    EXPECT_EQ(run.out, "") << more;
  }
};

TEST_F(Refusals, AFormatOfSeveralFilesNeedsAFolder) {
  expect_refused("-f neo4j", "format neo4j has several files: name a folder with --output");
}

TEST_F(Refusals, AFolderWithOtherFilesIsLeftAlone) {
  write("mine/notes", "notes");
  expect_refused("-f neo4j -o mine", "mine: cannot be created: is already there");
  expect_refused("-f neo4j -o mine/", "mine: cannot be created: is already there");
  EXPECT_EQ(read("mine/notes"), "notes");
}

TEST_F(Refusals, AFileIsNoFolderAndAFolderNoFile) {
  write("file", "");
  expect_refused("-f neo4j -o file", "file: cannot be created: is no folder");
  EXPECT_TRUE(exists("file"));
  write("folder/notes", "notes");
  expect_refused("-f jsonl -o folder", "folder: cannot be created: is a folder");
  EXPECT_FALSE(exists("folder.part"));
}

TEST_F(Refusals, AnEmptyFolderIsFilled) {
  std::filesystem::create_directories(path("empty"));
  EXPECT_EQ(extract("-f neo4j -o empty a.txt").exit_code, 0);
  EXPECT_GT(diffie::test::count_files(path("empty")), 0u);
  EXPECT_FALSE(exists("empty.part"));
}

TEST_F(Refusals, AJournalThatAnotherRunWrites) {
  write("out.jsonl.journal", "");
  const int other = ::open(path("out.jsonl.journal").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  expect_refused("-f jsonl --resume -o out.jsonl", "out.jsonl.journal: another run is writing it");
  ::close(other);
  EXPECT_FALSE(exists("out.jsonl"));
  EXPECT_EQ(extract("-f jsonl --resume -o out.jsonl a.txt").exit_code, 0);
}

TEST_F(Refusals, AJournalOfAnotherFormat) {
  write("new.jsonl.journal", "diffie journal 2\nand what a later program writes");
  expect_refused("-f jsonl --resume -o new.jsonl",
                 "new.jsonl.journal: is there and no journal of diffie");
  EXPECT_THAT(read("new.jsonl.journal"), HasSubstr("later program"));
}

TEST_F(Refusals, ABaseThatIsNoIri) {
  expect_refused("-f ntriples --base-iri 'no iri'",
                 "base IRI 'no iri': not an absolute IRI in plain ASCII");
}

// The environment is asked before a model is read.
TEST_F(Refusals, KernelsThatAreNotKnownOrNotThere) {
  const auto with_kernels = [](const std::string& name) {
    ::setenv("DIFFIE_CPU_ISA", name.c_str(), 1);
    const ProgramRun run = extract("a.txt");
    ::unsetenv("DIFFIE_CPU_ISA");
    return run;
  };
  EXPECT_EQ(with_kernels("mmx").exit_code, 2);
  EXPECT_THAT(with_kernels("mmx").err, HasSubstr("DIFFIE_CPU_ISA=mmx: wanted scalar, "));
#if defined(__x86_64__)
  EXPECT_EQ(with_kernels("neon").exit_code, 2);
  EXPECT_THAT(with_kernels("neon").err, HasSubstr("DIFFIE_CPU_ISA=neon: this machine runs"));
#endif
  EXPECT_EQ(with_kernels("scalar").exit_code, 0);
  EXPECT_EQ(with_kernels("").exit_code, 0);
}

TEST_F(Refusals, GpusThatCannotBe) {
  expect_refused("--devices 0,1", "devices is 0,1, but device is cpu: give device cuda or auto");
  const std::string allowed = ", must be at most 64 numbers from 0 to 127, or none";
  expect_refused("--device auto --devices=-1", "devices is -1" + allowed);
  expect_refused("--device auto --devices 0,128", "devices is 0,128" + allowed);
  expect_refused("--device auto --devices 0,", "devices is ''" + allowed);
}

// Where there is a GPU nothing is said of it.
TEST_F(Refusals, ADeviceThatIsNotThere) {
  const std::string problem = diffie::device_problem(diffie::Device::kCuda);
  if (problem.empty()) GTEST_SKIP() << "there is a GPU";
  expect_refused("--device cuda", "device is cuda: " + problem);
  const ProgramRun on_cpu = extract("a.txt"), hoped_for = extract("--device auto a.txt");
  EXPECT_EQ(hoped_for.exit_code, 0);
  const std::vector<std::string> told = lines_of(hoped_for.err);
  EXPECT_EQ(std::count(told.begin(), told.end(), "diffie: on the CPU: " + problem), 1)
      << hoped_for.err;
  EXPECT_EQ(hoped_for.out, on_cpu.out);
}

TEST_F(Refusals, AFolderWithoutAFileThatIsReadIsNamed) {
  write("pictures/cat.png", "x");
  const ProgramRun run = extract("pictures a.txt");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("pictures: no file that we read in this folder"));
  EXPECT_THAT(run.out, Not(HasSubstr("png")));
}

}  // namespace
