// Where results go: nothing that is there is lost, and no two runs write the same.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "cli/toy_extract.h"

namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Output : public ToyExtract {
 protected:
  static void SetUpTestSuite() {
    ToyExtract::SetUpTestSuite();
    write("a.txt", "The cat sat on the mat.\n");
  }

  static void expect_refused(const std::string& more, const std::string& why) {
    const ProgramRun run = extract(more);
    EXPECT_EQ(run.exit_code, 2) << more;
    EXPECT_THAT(run.err, HasSubstr("diffie: " + why + "\n")) << more;
  }

  static void expect_written(const std::string& more) {
    const ProgramRun run = extract(more);
    EXPECT_EQ(run.exit_code, 0) << more << ": " << run.err;
  }

  static mode_t mode(const std::string& name) {
    struct stat file {};
    EXPECT_EQ(::stat(path(name).c_str(), &file), 0);
    return file.st_mode & 07777;
  }
};

// One waits for its input until the other has been refused.
TEST_F(Output, IsWrittenByOneRunAtATime) {
  for (const std::string format : {"jsonl", "neo4j"}) {
    const std::string out = "one." + format, options = " -f " + format + " -o " + out;
    ASSERT_EQ(::mkfifo(path("text").c_str(), 0600), 0);
    std::thread other([&] {
      std::ofstream text(path("text"));
      while (!exists(out + ".part/content")) std::this_thread::yield();
      const std::string locked = out + ".part/diffie.lock";
      for (const char* more : {"", " --resume"})
        expect_refused("a.txt" + options + more, locked + ": another run is writing it");
      EXPECT_FALSE(exists(out));
      EXPECT_FALSE(exists(out + ".journal"));
      text << "The cat sat on the mat.\n";
    });
    expect_written(options + " <text");
    other.join();
    fs::remove(path("text"));
    EXPECT_TRUE(exists(out));
    EXPECT_FALSE(exists(out + ".part"));
  }
}

// What a run that was killed has left is ours.
TEST_F(Output, WhatAKilledRunLeftIsWrittenOver) {
  write("left.jsonl.part/diffie.lock", "");
  write("left.jsonl.part/content", std::string(100'000, 'x'));
  expect_written("a.txt -f jsonl -o left.jsonl");
  EXPECT_FALSE(exists("left.jsonl.part"));
  EXPECT_EQ(read("left.jsonl"), extract("a.txt -f jsonl").out);
  write("left.part/diffie.lock", "");
  write("left.part/content/old.csv", "old");
  expect_written("a.txt -f neo4j -o left");
  EXPECT_FALSE(exists("left/old.csv"));
  EXPECT_FALSE(exists("left.part"));
}

TEST_F(Output, APartThatIsNotOursIsLeftAlone) {
  write("dn.part/notes", "notes");
  expect_refused("a.txt -f neo4j -o dn", "dn.part: is there and not ours");
  EXPECT_EQ(read("dn.part/notes"), "notes");
  EXPECT_FALSE(exists("dn"));
  fs::create_directory_symlink("dn.part", path("ln.part"));
  expect_refused("a.txt -f neo4j -o ln", "ln.part: is there and not ours");
  expect_refused("a.txt -f jsonl -o dn", "dn.part: is there and not ours");

  for (const std::string content : {"important", ""}) {
    write("file.part", content);
    for (const std::string format : {"jsonl", "jsonl --resume", "neo4j"})
      expect_refused("a.txt -o file -f " + format, "file.part: is there and not ours");
    EXPECT_TRUE(fs::is_regular_file(path("file.part")));
    EXPECT_EQ(read("file.part"), content);
    EXPECT_FALSE(exists("file") || exists("file.journal"));
  }

  write("victim", "victim");
  fs::create_symlink("victim", path("v.part"));
  expect_refused("a.txt -f jsonl -o v", "v.part: is there and not ours");
  EXPECT_EQ(read("victim"), "victim");
  ASSERT_EQ(::mkfifo(path("pipe.part").c_str(), 0600), 0);
  expect_refused("a.txt -f jsonl -o pipe", "pipe.part: is there and not ours");
  fs::create_directory(path("empty.part"));
  expect_written("a.txt -f neo4j -o empty");
}

TEST_F(Output, AnInputIsNotWrittenOver) {
  const std::string text = "The cat sat on the mat.\n", why = ": is read, and would be written as ";
  write("io.part", text);
  fs::create_hard_link(path("io.part"), path("same.txt"));
  expect_refused("a.txt io.part -f jsonl -o io", "io.part" + why + "io.part");
  expect_refused("same.txt -f jsonl -o io", "same.txt" + why + "io.part");
  expect_refused("- -f jsonl -o io <io.part", "-" + why + "io.part");
  EXPECT_EQ(read("io.part"), text);
  write("room.part/diffie.lock", "");
  write("room.part/content/b.txt", text);
  expect_refused("room.part -f brat -o room", "room.part/content/b.txt" + why + "room.part");
  EXPECT_EQ(read("room.part/content/b.txt"), text);
}

TEST_F(Output, AnInputIsNotReplaced) {
  const std::string text = "The cat sat on the mat.\n", why = ": is read, and would be written as ";
  for (const char* name : {"own.txt", "so/a.txt", "so/b.txt", "full/x.txt"}) write(name, text);
  fs::create_symlink("own.txt", path("link"));
  fs::create_directory_symlink("full", path("away"));
  for (const std::string more : {"", " --resume"}) {
    expect_refused("own.txt -f tsv -o own.txt" + more, "own.txt" + why + "own.txt");
    expect_refused("a.txt ./own.txt -f tsv -o own.txt" + more, "./own.txt" + why + "own.txt");
    expect_refused("- -f tsv -o own.txt <own.txt" + more, "-" + why + "own.txt");
    expect_refused("link -f tsv -o own.txt" + more, "link" + why + "own.txt");
    expect_refused("own.txt -f tsv -o link" + more,
                   "own.txt" + why + fs::canonical(path("own.txt")).string());
    expect_refused("so -f tsv -o so/a.txt" + more, "so/a.txt" + why + "so/a.txt");
    expect_refused("full -f brat -o full" + more, "full/x.txt" + why + "full");
    expect_refused("a.txt away/x.txt full -f brat -o full" + more, "away/x.txt" + why + "full");
  }
  expect_refused("own.txt -f tsv >>own.txt", "own.txt" + why + "/dev/stdout");
  EXPECT_EQ(read("own.txt") + read("so/a.txt") + read("full/x.txt"), text + text + text);
  EXPECT_FALSE(exists("own.txt.journal") || exists("so/a.txt.journal") || exists("full.journal"));
}

// What the run would make, and then read.
TEST_F(Output, AnInputIsNotMadeByTheRun) {
  const std::string why = ": is read, and would be written as ";
  for (const std::string made : {"y", "y.part", "y.journal"})
    expect_refused("a.txt " + path(made) + " -f jsonl -o y --resume", path(made) + why + made);
  expect_refused("a.txt y/t.txt -f brat -o y", "y/t.txt" + why + "y");
  EXPECT_FALSE(exists("y") || exists("y.part") || exists("y.journal"));
}

TEST_F(Output, WhatCanNeverBeReplacedIsRefusedAtOnce) {
  for (const std::string more : {"", " --resume"}) {
    expect_refused("a.txt -o fin.jsonl/" + more,
                   "fin.jsonl/: cannot be created: is the name of a folder");
    EXPECT_FALSE(exists("fin.jsonl.journal"));
    for (const std::string folder : {".", "./", "..", "/", "model/.."}) {
      expect_refused("a.txt -f neo4j -o " + folder + more,
                     folder + ": cannot be created: give the folder's own name");
    }
  }
  EXPECT_FALSE(exists("..journal"));
}

TEST_F(Output, ALinkStaysOne) {
  fs::create_directories(path("far/real"));
  fs::create_directory_symlink("far/real", path("lk"));
  expect_written("a.txt -f neo4j -o lk/");
  EXPECT_TRUE(fs::is_symlink(path("lk")));
  EXPECT_GT(diffie::test::count_files(path("far/real")), 0u);
  EXPECT_EQ(diffie::test::count_files(path("far")), 1u);

  // To nothing yet, by another link, which is read where it lies.
  fs::create_symlink("far/dang", path("dang"));
  fs::create_symlink("nosuch", path("far/dang"));
  expect_written("a.txt -f jsonl -o dang");
  EXPECT_TRUE(fs::is_symlink(path("dang")));
  EXPECT_TRUE(fs::is_symlink(path("far/dang")));
  EXPECT_EQ(read("far/nosuch"), extract("a.txt -f jsonl").out);
  fs::create_symlink("far/new/", path("folder"));
  expect_written("a.txt -f neo4j -o folder");
  EXPECT_TRUE(fs::is_symlink(path("folder")));
  EXPECT_TRUE(fs::is_directory(path("far/new")));
}

TEST_F(Output, LinksThatLeadToEachOtherAreRefused) {
  fs::create_symlink("b", path("c"));
  fs::create_symlink("c", path("b"));
  const std::string why = "b: cannot be created: Too many levels of symbolic links";
  expect_refused("a.txt -f jsonl -o b", why);
  expect_refused("a.txt -f neo4j -o b", why);
}

TEST_F(Output, WhoMayReadItStaysTheSame) {
  for (const mode_t permissions : {0600, 0666, 0400}) {
    write("secret", "old");
    ASSERT_EQ(::chmod(path("secret").c_str(), permissions), 0);
    expect_written("a.txt -f jsonl -o secret");
    EXPECT_EQ(mode("secret"), permissions);
    fs::remove(path("secret"));
  }
  write("special", "old");
  ASSERT_EQ(::chmod(path("special").c_str(), 04755), 0);
  expect_written("a.txt -f jsonl -o special");
  EXPECT_EQ(mode("special"), 0755u);
  fs::create_directory(path("private"));
  ASSERT_EQ(::chmod(path("private").c_str(), 0700), 0);
  expect_written("a.txt -f neo4j -o private");
  EXPECT_EQ(mode("private"), 0700u);
}

// Of a process, an open file whose name is gone.
TEST_F(Output, WhatHasNoNameIsWrittenTo) {
  const std::string whole = extract("a.txt -f jsonl").out;
  expect_written("a.txt -f jsonl -o /dev/null");
  for (const char* to : {"/dev/stdout | cat >piped", "/dev/fd/5 5>&1 | cat >piped"}) {
    const std::string command = "cd '" + temp_->path().string() + "' && '" DIFFIE_BINARY "' " +
                                arguments("a.txt -f jsonl -o ") + to + " 2>/dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read("piped"), whole) << to;
  }
  const int gone = ::open(path("gone").c_str(), O_RDWR | O_CREAT, 0600);
  fs::remove(path("gone"));
  expect_written("a.txt -f jsonl -o /dev/fd/" + std::to_string(gone));
  std::string found(whole.size() + 1, '\0');
  EXPECT_EQ(::pread(gone, found.data(), found.size(), 0), static_cast<ssize_t>(whole.size()));
  ::close(gone);
  EXPECT_EQ(found.substr(0, whole.size()), whole);
}

}  // namespace
