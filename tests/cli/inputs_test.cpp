#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/toy_extract.h"

namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Inputs : public ToyExtract {
 protected:
  // Document and sentence of every line of JSONL.
  static std::vector<std::string> found(const ProgramRun& run) {
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(run.out)) {
      const json parsed = json::parse(line);
      lines.push_back(parsed["source"]["document"].get<std::string>() + " " +
                      parsed["sentence"].get<std::string>());
    }
    return lines;
  }
  static void pack(const std::string& program, const std::string& from, const std::string& to) {
    const std::string command = program + " -c '" + path(from) + "' > '" + path(to) + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
};

TEST_F(Inputs, RowsAreDocumentsWithIdsOfTheirOwn) {
  write("rows.jsonl",
        "{\"text\": \"The cat sat. A dog ran.\", \"id\": \"one\"}\n\n"
        "{\"id\": 2, \"text\": \"Paris lies on the Seine.\"}");
  EXPECT_THAT(found(extract("-f jsonl rows.jsonl")),
              ElementsAre("rows.jsonl:1 The cat sat.", "rows.jsonl:1 A dog ran.",
                          "rows.jsonl:3 Paris lies on the Seine."));
  EXPECT_THAT(found(extract("-f jsonl --id-field id rows.jsonl")),
              ElementsAre("one The cat sat.", "one A dog ran.", "2 Paris lies on the Seine."));
  EXPECT_THAT(found(extract("-f jsonl --input-format jsonl --text-field body -",
                            "{\"body\": \"It rained.\"}")),
              ElementsAre("-:1 It rained."));
}

TEST_F(Inputs, ABadRowIsNamedAndTheOthersAreRead) {
  write("bad.jsonl",
        "{\"text\": \"The cat sat.\"}\nnonsense\n{\"text\": 1}\n{\"text\": \"A dog ran.\"}\n");
  const ProgramRun run = extract("-f jsonl bad.jsonl");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(found(run), ElementsAre("bad.jsonl:1 The cat sat.", "bad.jsonl:4 A dog ran."));
  EXPECT_THAT(run.err, HasSubstr("diffie: bad.jsonl:2: not JSON at byte 2\n"));
  EXPECT_THAT(run.err,
              HasSubstr("diffie: bad.jsonl:3: field 'text' is a number, wanted a string\n"));
}

TEST_F(Inputs, ARowWithWhatIsNoCharacterIsNamedAndRead) {
  const ProgramRun run = extract("-f jsonl --input-format jsonl -",
                                 "{\"text\": \"The \\ud800 cat sat.\"}\n"
                                 "{\"text\": \"A \xFF dog ran.\"}\n"
                                 "{\"text\": \"It rained.\"}\n");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(found(run),
              ElementsAre("-:1 The \uFFFD cat sat.", "-:2 A \uFFFD dog ran.", "-:3 It rained."));
  EXPECT_THAT(run.err, ::testing::EndsWith("diffie: -:1: a lone surrogate, read as U+FFFD\n"
                                           "diffie: -:2: invalid UTF-8, read as U+FFFD\n"));
}

TEST_F(Inputs, APackedTableIsNoText) {
  write("table.txt", "The cat sat.\n");
  pack("gzip", "table.txt", "table.parquet.gz");
  pack("gzip", "table.parquet.gz", "text.gz.gz");
  const ProgramRun run = extract("-f jsonl table.parquet.gz text.gz.gz table.txt");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(found(run), ElementsAre("table.txt The cat sat."));
  EXPECT_THAT(run.err, HasSubstr("diffie: table.parquet.gz: tables are not packed\n"));
  EXPECT_THAT(run.err, HasSubstr("diffie: text.gz.gz: is packed twice\n"));
  const ProgramRun piped = extract("-f jsonl", "PAR1\x15\x04");
  EXPECT_EQ(piped.exit_code, 1);
  EXPECT_THAT(piped.err, HasSubstr("diffie: -: is a table, not text\n"));
}

TEST_F(Inputs, ALineThatIsTooLongIsPassedOver) {
  write("long.jsonl", "{\"text\": \"The cat sat.\"}\n{\"text\": \"" + std::string(70 << 20, 'x') +
                          "\"}\n{\"text\": \"A dog ran.\"}\n");
  const ProgramRun run = extract("-f jsonl long.jsonl");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("diffie: long.jsonl:2: line is longer than 64 MiB\n"));
  EXPECT_THAT(found(run), ElementsAre("long.jsonl:1 The cat sat.", "long.jsonl:3 A dog ran."));
}

TEST_F(Inputs, FoldersAndPatternsAreReadInOrder) {
  write("corpus/b/2.txt", "The cat sat.");
  write("corpus/a.jsonl", "{\"text\": \"A dog ran.\"}");
  write("corpus/c.txt", "It rained.");
  pack("gzip", "corpus/c.txt", "corpus/b/1.txt.gz");
  pack("zstd -q", "corpus/a.jsonl", "corpus/d.jsonl.zst");
  write("corpus/notes.md", "not read");
  const std::vector<std::string> all = {
      "corpus/a.jsonl:1 A dog ran.", "corpus/b/1.txt.gz It rained.", "corpus/b/2.txt The cat sat.",
      "corpus/c.txt It rained.", "corpus/d.jsonl.zst:1 A dog ran."};
  EXPECT_EQ(found(extract("-f jsonl corpus")), all);
  EXPECT_THAT(found(extract("-f jsonl 'corpus/**/*.txt'")),
              ElementsAre("corpus/b/2.txt The cat sat.", "corpus/c.txt It rained."));
  const ProgramRun none = extract("-f jsonl 'corpus/*.csv'");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_EQ(none.out, "");
  EXPECT_EQ(extract("-f jsonl < '" + path("corpus/b/1.txt.gz") + "'").exit_code, 0);
}

TEST_F(Inputs, ShardsTogetherAreTheWhole) {
  std::string rows;
  for (int row = 0; row < 10; ++row)
    rows += "{\"text\": \"Row " + std::to_string(row) + " has a cat. It sat.\"}\n";
  write("shards/1.jsonl", rows);
  for (const char* name : {"shards/0.txt", "shards/2.txt", "shards/3.txt"})
    write(name, "The cat sat on a mat.\n\nIt ran.\n");
  const std::vector<std::string> whole = lines_of(extract("-f jsonl shards").out);
  EXPECT_EQ(whole.size(), 26U);
  std::vector<std::string> parts;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const ProgramRun run = extract(std::string("-f jsonl shards --shard ") + shard);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_GE(lines_of(run.out).size(), 8U);
    for (const std::string& line : lines_of(run.out)) parts.push_back(line);
  }
  EXPECT_THAT(parts, ::testing::UnorderedElementsAreArray(whole));
}

TEST_F(Inputs, ShardsOfLinesTakeTurns) {
  const std::string text = "a cat sat\nb dog ran\n\nd bird flew\ne fish swam\n";
  const std::vector<std::string> whole = lines_of(extract("--lines -f jsonl", text).out);
  std::vector<std::string> merged(5);
  for (std::size_t shard = 0; shard < 2; ++shard) {
    const std::string option = " --shard " + std::to_string(shard + 1) + "/2";
    std::size_t line = shard;
    for (const std::string& each : lines_of(extract("--lines -f jsonl" + option, text).out)) {
      ASSERT_LT(line, merged.size());
      merged[line] = each;
      line += 2;
    }
  }
  EXPECT_EQ(merged, whole);
}

TEST_F(Inputs, AnImpossibleShardIsRefused) {
  for (const char* shard :
       {"0/2", "3/2", "1", "1/", "/2", "1/2x", "-1/2", "1/9999999", "a/b", "01/3", "1/03"}) {
    const ProgramRun run = extract(std::string("--shard ") + shard, "x");
    EXPECT_EQ(run.exit_code, 2) << shard;
    EXPECT_THAT(run.err, HasSubstr("must be I/M")) << shard;
  }
}

TEST_F(Inputs, APipeIsAnsweredAsItIsWritten) {
  // The second sentence is only written when the first one has been answered.
  write("pipe.sh", "mkfifo in\n'" DIFFIE_BINARY "' " + arguments("--lines -f tsv") +
                       R"( < in 2> /dev/null | {
                         exec 3> in
                         echo 'A cat sat here .' >&3
                         read -r first
                         echo 'A dog ran off .' >&3
                         exec 3>&-
                         echo "$first" > first
                         cat > rest
                       })");
  const std::string command = "cd '" + temp_->path().string() + "' && timeout 60 sh pipe.sh";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(read("first"), HasSubstr("A cat sat here ."));
  EXPECT_THAT(read("rest"), HasSubstr("A dog ran off ."));
}

}  // namespace
