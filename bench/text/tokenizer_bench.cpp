// Throughput of Tokenizer::encode on one thread, ids and offsets of every line.
// Usage: tokenizer_bench VOCAB TEXT ROUNDS; prints MB per second of processor time, the number of
// pieces and a checksum per round, as peer/ does.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/text.h"

namespace {

double cpu_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void run_round(const diffie::Tokenizer& tokenizer, const std::vector<std::string_view>& lines,
               std::size_t num_bytes) {
  const double start = cpu_seconds();
  std::size_t pieces = 0;
  std::size_t check = 0;
  for (const std::string_view line : lines) {
    const diffie::Encoding encoding = tokenizer.encode(line);
    pieces += encoding.ids.size();
    for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
      const diffie::Span span = encoding.offsets[i];
      check =
          check * 31 + static_cast<std::size_t>(encoding.ids[i]) + 7 * span.begin + 13 * span.end;
    }
  }
  const double seconds = cpu_seconds() - start;
  fmt::print("{:.3f} {} {}\n", static_cast<double>(num_bytes) / 1e6 / seconds, pieces, check);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: tokenizer_bench VOCAB TEXT ROUNDS\n");
    return 2;
  }
  const auto tokenizer = diffie::Tokenizer::from_vocab_file(argv[1]);
  std::ifstream file(argv[2], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::vector<std::string_view> lines = split_lines(text);
  for (int round = 0; round < std::atoi(argv[3]); ++round) run_round(tokenizer, lines, text.size());
  return 0;
}
