#include "accept.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "message.h"

namespace diffie::server {
namespace {

// Cuts off what stands before the next `mark` that is in no quotes, without blanks around it.
std::string_view next_part(std::string_view& text, char mark) {
  std::size_t end = 0;
  for (bool quoted = false; end < text.size() && (quoted || text[end] != mark); ++end) {
    if (quoted && text[end] == '\\' && end + 1 < text.size()) {
      ++end;
    } else if (text[end] == '"') {
      quoted = !quoted;
    }
  }
  std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  part.remove_prefix(std::min(part.find_first_not_of(" \t"), part.size()));
  return part.substr(0, part.find_last_not_of(" \t") + 1);
}

struct MediaRange {
  std::string type;  // "text/html", "text/*" or "*/*"
  double quality = 1;
};

// None for a quality that is no number from 0 to 1.
std::optional<MediaRange> parse_range(std::string_view text) {
  MediaRange range;
  range.type = lower_case(next_part(text, ';'));
  while (!text.empty()) {
    const std::string_view parameter = next_part(text, ';');
    if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) continue;
    const char* const end = parameter.data() + parameter.size();
    const auto [at, error] = std::from_chars(parameter.data() + 2, end, range.quality);
    if (error != std::errc() || at != end || !(range.quality >= 0 && range.quality <= 1)) return {};
  }
  return range;
}

struct Liking {
  double quality = 0;
  bool named = false;  // by itself, not by a range of types
};

// As the narrowest range has it that the type is in.
Liking liking(std::string_view accept, std::string_view type) {
  const std::string narrowest[] = {std::string(type),
                                   std::string(type.substr(0, type.find('/') + 1)) + "*", "*/*"};
  std::size_t found = std::size(narrowest);
  Liking liked;
  while (!accept.empty()) {
    const std::optional<MediaRange> range = parse_range(next_part(accept, ','));
    for (std::size_t width = 0; range && width < found; ++width) {
      if (range->type != narrowest[width]) continue;
      found = width;
      liked = {range->quality, width == 0};
    }
  }
  return liked;
}

}  // namespace

bool prefers_lines(std::string_view accept) {
  const Liking lines = liking(accept, "application/x-ndjson");
  const Liking object = liking(accept, "application/json");
  if (lines.quality != object.quality) return lines.quality > object.quality;
  return lines.named && lines.quality > 0;
}

}  // namespace diffie::server
