// Pools: the tag sequences sampled for a sentence, one tag per word, and the file that keeps them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace diffie {

struct TagCount {
  std::string tags;  // one of B, S, R, O per word
  std::uint32_t count = 0;
  // What the judge says of the triple that they give, in [0, 1]; negative: it was not asked.
  float exact = -1;
  float lenient = -1;

  bool is_judged() const { return exact >= 0; }

  friend bool operator==(const TagCount&, const TagCount&) = default;
};

struct TagPool {
  std::string sentence;
  std::vector<std::string> words;  // as written, then the model's implied words
  std::vector<TagCount> tags;      // distinct, by falling count, then by string; may be empty
  std::size_t num_implied = 0;     // of the words, at their end

  std::uint64_t num_samples() const;
};

// JSON lines {"sentence": "...", "words": [...], "pool": [["BSSROO", 12], ...]}, and
// "implied": 8 when the last 8 words are implied ones; an entry that is judged is
// ["BSSROO", 12, exact, lenient]. Blank lines are nothing, other keys are ignored. Throws
// kNotFound, or kBadInput naming file and line.
std::vector<TagPool> read_tag_pools(const std::filesystem::path& path);
std::vector<TagPool> parse_tag_pools(std::string_view text, const std::string& name);

// The same, handing out one pool at a time: for files that are large in memory.
void for_each_tag_pool(const std::filesystem::path& path,
                       const std::function<void(TagPool)>& visit);

// Appends one line in that form.
void append_tag_pool(std::string& out, const TagPool& pool);

}  // namespace diffie
