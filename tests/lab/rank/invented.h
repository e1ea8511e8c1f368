// Invented sentences: "who verb what and verb what", with a pool in which the right triples are
// frequent or long, and wrong ones end in "and".
#pragma once

#include <random>
#include <string>
#include <vector>

#include "diffie/lab/rank.h"

namespace diffie::test {

struct Invented {
  RankPool pool{"invented-f0", {}};
  std::vector<data::Row> gold;

  explicit Invented(std::size_t size, unsigned seed = 1) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < size; ++i) {
      const std::string number = std::to_string(i);
      TagPool tags;
      tags.words = {"ann" + number, "met", "bob", "and", "saw", "cid", "."};
      for (const std::string& word : tags.words)
        tags.sentence += (tags.sentence.empty() ? "" : " ") + word;
      const auto count = [&] { return 1 + static_cast<std::uint32_t>(random() % 8); };
      tags.tags = {{"SROBBBB", count()}, {"SBBBROB", count()}, {"SROOBBB", count()},
                   {"SBBRROB", count()}, {"BBBBBBB", count()}, {"SRBBBOB", count()}};
      std::uint32_t rest = 48;
      for (const TagCount& entry : tags.tags) rest -= entry.count;
      if (rest > 0) tags.tags.push_back({"BBSBROB", rest});
      gold.push_back(
          {i, tags.sentence, {{tags.words[0], "met", "bob"}, {tags.words[0], "saw", "cid"}}});
      pool.sentences.push_back(std::move(tags));
    }
  }
};

}  // namespace diffie::test
