// What refusing costs: at most a second, and 64 MB over the size of the files.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>

#include "corrupt/victim.h"

namespace diffie {
namespace {

using test::Victim;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

long peak_kb() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

void load(const Victim& victim) { Model::load(victim.path()); }

// Which goes on after the first problem.
void verify(const Victim& victim) {
  const std::vector<std::string> problems = verify_model(victim.path());
  if (!problems.empty()) throw Error(ErrorCode::kCorruptModel, problems.front());
}

// In a process of its own, whose peak begins where this one stands.
void expect_cheap_refusal(void (*read)(const Victim&), const Victim& victim,
                          std::size_t file_bytes) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const long before = peak_kb();
    const std::clock_t begin = std::clock();
    int outcome = 0;
    try {
      read(victim);
      outcome = 1;
    } catch (const Error&) {
    } catch (...) {
      outcome = 2;
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const long grown_kb = peak_kb() - before;
    if (!kSanitized && seconds > 1) outcome = 3;
    if (!kSanitized && grown_kb > static_cast<long>(file_bytes / 1024) + 64 * 1024) outcome = 4;
    if (outcome > 2) fmt::print(stderr, "{:.2f} s of CPU, {} kB\n", seconds, grown_kb);
    ::_exit(outcome);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0)
      << "1: taken, 2: another exception, 3: over a second, 4: over 64 MB and the file";
}

void expect_cheap(const char* file, const std::string& content) {
  Victim victim;
  victim.write(file, content);
  SCOPED_TRACE(fmt::format("{}: {} ...", file, content.substr(0, 60)));
  expect_cheap_refusal(load, victim, content.size());
  SCOPED_TRACE("verify_model");
  expect_cheap_refusal(verify, victim, content.size());
}

std::string repeated(std::string_view part, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + part.size());
  while (text.size() < bytes) text += part;
  return text;
}

// {"00000000":VALUE,"00000001":VALUE,...
std::string many_keys(std::string_view value, std::size_t bytes) {
  std::string text = "{";
  for (int i = 0; text.size() < bytes; ++i)
    text += fmt::format("{}\"{:08}\":{}", i > 0 ? "," : "", i, value);
  return text + "}";
}

std::string with_length(const std::string& header) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8)
    bytes += static_cast<char>(header.size() >> shift & 0xff);
  return bytes + header;
}

TEST(Refusing, AConfigurationIsCheap) {
  const std::size_t most = (1 << 20) - 64;
  expect_cheap("config.json", repeated("[", most));
  expect_cheap("config.json", "[" + repeated("0,", most) + "0]");
  expect_cheap("config.json", many_keys("0", most));
  expect_cheap("config.json", many_keys("{}", most));
  expect_cheap("config.json", "{\"" + repeated("a", most) + "\":0}");
  expect_cheap("config.json", repeated("9", most));
  expect_cheap("config.json", repeated(" ", 8 << 20));
}

TEST(Refusing, AWeightsHeaderIsCheap) {
  const std::size_t most = 9'900'000;
  expect_cheap("model.safetensors", with_length(many_keys("{}", most)));
  expect_cheap("model.safetensors", with_length("{\"" + repeated("a", most) + "\":0}"));
  expect_cheap("model.safetensors", with_length("{\"a\":[" + repeated("0,", most) + "0]}"));
  expect_cheap("model.safetensors", with_length(repeated(" ", most)));
  expect_cheap("model.safetensors",
               with_length(many_keys(R"({"dtype":"I8","shape":[0],"data_offsets":[0,0]})", most)));
}

TEST(Refusing, ARankerIsCheap) {
  const std::size_t most = (4 << 20) - 64;
  expect_cheap("ranker.json", "[" + repeated("0,", most) + "0]");
  expect_cheap("ranker.json", many_keys("0", most));
  expect_cheap("ranker.json", "{\"features\":[" + repeated("\"\",", most) + "0]}");
  expect_cheap("ranker.json", "{\"worth\":{\"leaves\":[" + repeated("1e-300,", most) + "0]}}");
}

TEST(Refusing, AVocabularyIsCheap) {
  const std::size_t most = (2 << 20) - 64;
  std::string pieces;
  for (int i = 0; pieces.size() < most; ++i)  // mixed: neighbours share no prefix
    pieces += fmt::format("{:08x}\n", i * 2654435761u);
  expect_cheap("vocab.txt", pieces);
  expect_cheap("vocab.txt", repeated("a", most));
  expect_cheap("vocab.txt", repeated("\n", most));
  expect_cheap("vocab.txt", repeated("a\n", most));
  expect_cheap("vocab.txt", repeated("a", 80 << 20));
}

TEST(Refusing, SumsAreCheap) {
  std::string lines;
  for (int i = 0; lines.size() < (1 << 20) - 128; ++i) lines += fmt::format("{:064x}  f{}\n", i, i);
  expect_cheap("SHA256SUMS", lines);
  expect_cheap("SHA256SUMS", repeated("a", (1 << 20) - 1));
}

}  // namespace
}  // namespace diffie
