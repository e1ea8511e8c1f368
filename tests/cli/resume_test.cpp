#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <random>
#include <thread>

#include "cli/toy_extract.h"

namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Resume : public ToyExtract {
 protected:
  static constexpr const char* kInputs = "corpus rows.jsonl ";

  static void SetUpTestSuite() {
    ToyExtract::SetUpTestSuite();
    std::string text;
    std::string rows;
    for (int line = 0; line < 250; ++line) {
      const std::string number = std::to_string(line);
      text += "The cat number " + number + " sat on a mat. According to Anna, it \u00E9t\u00E9 " +
              number + " ran.\n" + (line % 5 == 0 ? "\n" : "");
      rows +=
          "{\"id\": " + number + ", \"text\": \"Row " + number + " has a cat. It sat there.\"}\n";
    }
    write("corpus/one.txt", text);
    write("corpus/two.txt", text.substr(0, 4000));
    write("corpus/zero.txt", "");
    write("rows.jsonl", rows + "a bad row\n");
  }

  static pid_t start(const std::string& more, rlim_t largest_file) {
    const std::string command = "cd '" + temp_->path().string() + "' && exec '" DIFFIE_BINARY "' " +
                                arguments(more) + " >/dev/null 2>&1";
    const pid_t child = ::fork();
    if (child != 0) return child;
    const rlimit no_core{0, 0};
    const rlimit file_size{largest_file, largest_file};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::setrlimit(RLIMIT_FSIZE, &file_size);
    // A build that counts lines would cut its counters short as well.
    ::setenv("GCOV_PREFIX", "/dev/null", 1);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  // A run that ends in the middle of the write that would take a file of its past so many bytes:
  // the kernel cuts that write short and refuses the rest. False: it was done before that.
  static bool run_and_fail(const std::string& more, rlim_t bytes) {
    const pid_t child = start(more, bytes);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << more;
    return WEXITSTATUS(status) == 2;
  }

  // Kills the run so long after its start, wherever it is.
  static void run_and_kill(const std::string& more, std::chrono::milliseconds after) {
    const pid_t child = start(more, RLIM_INFINITY);
    std::this_thread::sleep_for(after);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }

  // Without the record that was torn: a record is its size, a checksum of 16 bytes, the rest.
  static std::string whole_records(const std::string& journal) {
    std::size_t end = journal.find('\n') + 1;
    while (true) {
      std::uint64_t size = 0;
      if (journal.size() - end < sizeof(size)) break;
      std::memcpy(&size, journal.data() + end, sizeof(size));
      if (journal.size() - end < sizeof(size) + 16 + size) break;
      end += sizeof(size) + 16 + size;
    }
    return journal.substr(0, end);
  }

  // All files of an output, with their names.
  static std::string content(const std::string& name) {
    if (!fs::is_directory(path(name))) return read(name);
    std::vector<fs::path> files(fs::directory_iterator(path(name)), fs::directory_iterator{});
    std::sort(files.begin(), files.end());
    std::string all;
    for (const fs::path& file : files)
      all += file.filename().string() + "\n" + diffie::test::read_file(file);
    return all;
  }
};

// Formats without state, with one, with a footer, of several files.
TEST_F(Resume, ARunThatEndsAgainAndAgainEndsWithTheSameBytes) {
  std::mt19937 random(7);
  for (const std::string format : {"jsonl", "turtle", "html", "neo4j"}) {
    const std::string options = kInputs + ("--id-field id -f " + format);
    const ProgramRun whole = extract(options + " -o whole." + format);
    ASSERT_EQ(whole.exit_code, 1) << whole.err;  // for the bad row
    const std::string out = "out." + format;
    const std::string resumed = options + " --resume -o " + out;
    int failures = 0;
    for (rlim_t bytes = 100'000; run_and_fail(resumed, bytes); bytes += 50'000 + random() % 50'000)
      ++failures;
    EXPECT_GE(failures, 3) << format;
    EXPECT_TRUE(content(out) == content("whole." + format)) << format;
    EXPECT_FALSE(content(out).empty()) << format;
    EXPECT_FALSE(exists(out + ".journal")) << format;
    EXPECT_FALSE(exists(out + ".part")) << format;

    const std::string killed = "killed." + format;
    const auto complete = [&] { return exists(killed) && !exists(killed + ".journal"); };
    for (int kill = 0; kill < 4 && !complete(); ++kill)
      run_and_kill(options + " --resume -o " + killed, std::chrono::milliseconds(random() % 300));
    if (!complete()) {
      EXPECT_EQ(extract(options + " --resume -o " + killed).exit_code, 1) << format;
    }
    EXPECT_TRUE(content(killed) == content("whole." + format)) << format;
  }
}

TEST_F(Resume, WhatIsExtractedIsNotExtractedAgain) {
  const std::string options = kInputs + std::string("-f jsonl --resume -o again.jsonl");
  ASSERT_TRUE(run_and_fail(options, 100'000));
  const std::string journal = whole_records(read("again.jsonl.journal"));
  ASSERT_TRUE(run_and_fail(options, 200'000));
  EXPECT_TRUE(read("again.jsonl.journal").starts_with(journal));
  EXPECT_GT(read("again.jsonl.journal").size(), journal.size());
}

TEST_F(Resume, ATornTailIsCutOff) {
  const std::string options = kInputs + std::string("-f jsonl -o torn.jsonl");
  ASSERT_EQ(extract(options).exit_code, 1);
  const std::string whole = read("torn.jsonl");
  for (const int torn : {1, 7, 24, 100, 5000}) {
    ASSERT_TRUE(run_and_fail(options + " --resume", 100'000));
    const std::string journal = read("torn.jsonl.journal");
    const std::size_t left = journal.size() - std::min<std::size_t>(journal.size(), torn);
    write("torn.jsonl.journal", journal.substr(0, left) + (torn == 7 ? "garbage" : ""));
    fs::remove(path("torn.jsonl"));
    ASSERT_EQ(extract(options + " --resume").exit_code, 1);
    EXPECT_TRUE(read("torn.jsonl") == whole) << torn;
    EXPECT_FALSE(exists("torn.jsonl.journal"));
  }
}

TEST_F(Resume, AJournalOfAnotherRunIsRefused) {
  const std::string run = "-f jsonl --resume -o other.jsonl ";
  ASSERT_TRUE(run_and_fail(kInputs + run, 100'000));
  const std::string journal = read("other.jsonl.journal");
  const auto refuses = [&](const std::string& options, const std::string& why) {
    const ProgramRun refused = extract(options);
    EXPECT_EQ(refused.exit_code, 2) << options;
    EXPECT_THAT(refused.err, HasSubstr("diffie: other.jsonl.journal: ")) << options;
    EXPECT_THAT(refused.err, HasSubstr(why)) << options;
    EXPECT_TRUE(read("other.jsonl.journal") == journal) << options;
    EXPECT_FALSE(exists("other.jsonl"));
  };
  refuses(kInputs + run + "--top-k 2", "is of a run with 'top_k 4', this one has 'top_k 2'");
  refuses(kInputs + run + "--shard 1/2", "'shard 1/1', this one has 'shard 1/2'");
  refuses(kInputs + run + "--lines", "'lines false', this one has 'lines true'");
  refuses(kInputs + run + "--id-field id", "'id-field ', this one has 'id-field id'");
  refuses("corpus " + run, "'input 4 files of ");
  refuses(kInputs + std::string("-f tsv --resume -o other.jsonl"), "'format jsonl");
  refuses(kInputs + run + "--document-offsets", "'document-offsets false'");

  const std::string rows = read("corpus/one.txt");
  std::string changed = rows;
  changed[5] = 'X';  // of the same size
  write("corpus/one.txt", changed);
  const ProgramRun refused = extract(kInputs + run);
  write("corpus/one.txt", rows);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("sentence 1 of the input is not what it was"));
  EXPECT_EQ(extract(kInputs + run).exit_code, 1);
}

TEST_F(Resume, WhatIsNoJournalIsLeftAlone) {
  write("mine.journal", "shopping list");
  const ProgramRun run = extract("corpus -f jsonl --resume -o mine");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("mine.journal: is there and no journal of diffie"));
  EXPECT_EQ(read("mine.journal"), "shopping list");
}

// Which would keep off the right run.
TEST_F(Resume, ARunThatIsRefusedLeavesNoJournal) {
  const auto refuses = [](const std::string& options, const std::string& why) {
    const ProgramRun refused = extract("corpus/two.txt --resume " + options);
    EXPECT_EQ(refused.exit_code, 2) << options;
    EXPECT_THAT(refused.err, HasSubstr("diffie: " + why)) << options;
  };
  write("u.part/notes", "notes");
  refuses("-f jsonl -o u", "u.part: is there and not ours");
  EXPECT_FALSE(exists("u.journal"));
  refuses("-f ntriples --base-iri 'no iri' -o rdf", "base IRI 'no iri': not an absolute IRI");
  EXPECT_FALSE(exists("rdf.journal"));
  EXPECT_FALSE(exists("rdf.part"));
  const std::string device = "--resume needs a file or folder as --output";
  refuses("-f jsonl -o /dev/full", device);
  EXPECT_FALSE(fs::exists("/dev/full.journal"));
  fs::create_symlink("/dev/full", path("link"));
  refuses("-f jsonl -o link", device);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  refuses("-f jsonl -o pipe", device);
  EXPECT_FALSE(exists("link.journal") || exists("pipe.journal"));
  ASSERT_EQ(::mkfifo(path("p.journal").c_str(), 0600), 0);
  refuses("-f jsonl -o p", "p.journal: is there and no journal of diffie");
  EXPECT_FALSE(exists("p.part"));
}

// It lies beside what is written.
TEST_F(Resume, TheJournalOfALinkIsThatOfWhatItLeadsTo) {
  write("there/was.jsonl", "old");
  fs::create_symlink("there/was.jsonl", path("link.jsonl"));
  ASSERT_TRUE(run_and_fail(kInputs + std::string("-f jsonl --resume -o link.jsonl"), 100'000));
  EXPECT_FALSE(exists("link.jsonl.journal"));
  EXPECT_TRUE(exists("there/was.jsonl.journal"));
  EXPECT_EQ(extract(kInputs + std::string("-f jsonl --resume -o there/was.jsonl")).exit_code, 1);
  EXPECT_EQ(read("link.jsonl"), extract(kInputs + std::string("-f jsonl")).out);
}

// Refused once, it must not look like a folder of a run that was cut off.
TEST_F(Resume, AFolderOfOthersIsNeverReplaced) {
  write("letters/letter.txt", "Dear Anna");
  for (int attempt = 0; attempt < 2; ++attempt) {
    const ProgramRun run = extract("corpus/two.txt -f neo4j --resume -o letters");
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("letters: cannot be created: is already there"));
    EXPECT_EQ(read("letters/letter.txt"), "Dear Anna");
    EXPECT_FALSE(exists("letters.journal"));
  }
}

TEST_F(Resume, OutputIsInPlaceWhenItIsCompleteOnly) {
  write("old.jsonl", "old");
  const ProgramRun failed = extract("corpus -f jsonl -o no/such/folder.jsonl");
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_THAT(failed.err, HasSubstr("no/such/folder.jsonl.part: cannot be created"));
  EXPECT_EQ(extract("corpus/two.txt -f jsonl -o old.jsonl").exit_code, 0);
  EXPECT_EQ(read("old.jsonl"), extract("corpus/two.txt -f jsonl").out);
  EXPECT_FALSE(exists("old.jsonl.part"));
  EXPECT_EQ(extract("--resume -f jsonl", "x").exit_code, 2);  // without --output
}

}  // namespace
