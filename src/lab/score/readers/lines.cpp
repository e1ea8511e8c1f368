#include "lab/score/readers/lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "diffie/error.h"
#include "text/white_space.h"

namespace diffie::score {
namespace {

constexpr std::size_t kListedBadLines = 20;

}  // namespace

std::vector<Line> split_lines(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::vector<Line> lines;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = begin;
    while (end < text.size() && text[end] != '\n' && text[end] != '\r') ++end;
    lines.push_back({lines.size() + 1, text.substr(begin, end - begin)});
    if (text.substr(end, 2) == "\r\n") ++end;
  }
  return lines;
}

void BadLines::add(std::size_t line, std::string reason) {
  lines_.push_back({line, std::move(reason)});
}

std::vector<BadLine> BadLines::take(const std::string& path, bool skip_bad) {
  if (lines_.empty() || skip_bad) return std::move(lines_);
  std::string listed;
  for (std::size_t i = 0; i < lines_.size() && i < kListedBadLines; ++i) {
    if (!listed.empty()) listed += "; ";
    if (lines_[i].line > 0) listed += fmt::format("line {}: ", lines_[i].line);
    listed += lines_[i].reason;
  }
  if (lines_.size() > kListedBadLines) {
    listed += fmt::format("; and {} more", lines_.size() - kListedBadLines);
  }
  throw Error(ErrorCode::kBadInput, fmt::format("{}: {} unreadable {}: {}", path, lines_.size(),
                                                lines_.size() == 1 ? "line" : "lines", listed));
}

bool parse_number(std::string_view text, double& value) {
  text = text::strip(text);
  if (text.substr(0, 1) == "+" && text.substr(0, 2) != "+-") text.remove_prefix(1);
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

bool parse_local_number(std::string_view text, double& value) {
  std::string number(text);
  std::replace(number.begin(), number.end(), ',', '.');
  return parse_number(number, value);
}

}  // namespace diffie::score
