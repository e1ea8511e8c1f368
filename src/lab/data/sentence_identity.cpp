#include "lab/data/sentence_identity.h"

#include "base/take_line.h"
#include "files/read_file.h"
#include "lab/score/sentence_key.h"
#include "text/white_space.h"

namespace diffie::data {

std::unordered_set<std::string> read_identities(const std::filesystem::path& path) {
  std::unordered_set<std::string> identities;
  if (path.empty()) return identities;
  const std::string content = files::read_text_file(path);
  for (std::string_view rest = content; !rest.empty();) {
    const std::string_view sentence = text::strip(base::take_line(rest));
    if (!sentence.empty()) identities.insert(score::sentence_key(sentence));
  }
  return identities;
}

// FNV-1a of the text, mixed with the seed by SplitMix64's finisher.
std::uint64_t seeded_hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  hash ^= seed * 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

}  // namespace diffie::data
