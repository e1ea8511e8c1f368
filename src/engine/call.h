// One call of extract(), sample() or record(): what goes in and what is known so far.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "diffie/extractor.h"
#include "engine/failure.h"
#include "engine/passage.h"
#include "engine/passage_tags.h"
#include "engine/recording.h"
#include "engine/work_plan.h"
#include "model/backend.h"

namespace diffie::engine {

// What became of one chosen triple: never empty, all of one confidence.
using Group = std::vector<Extraction>;

// What became of a passage: groups, or where tag sequences are asked for they and their judgements.
struct Outcome {
  std::vector<Group> groups;
  CountedTags tags;
  std::vector<model::Judgement> judgements;
  std::optional<Failure> failure;
};

// What the tasks of a passage that is cut into parts share.
struct SplitPassage {
  std::mutex encoding;
  std::unique_ptr<model::Context> encoded;  // null: not yet
  std::vector<std::uint8_t> tags;           // [samples, pieces]
  std::atomic<std::size_t> rows_left = 0;
};

struct Call {
  std::span<const std::string_view> sentences;
  std::stop_token stop = {};
  bool wants_triples = true;
  Recording* recording = nullptr;  // of the only sentence's first passage, where it is asked for

  std::vector<std::optional<Failure>> not_tokenized = {};  // by sentence
  std::vector<Passage> passages = {};                      // in the sentences' order
  std::vector<Task> tasks = {};
  std::map<std::size_t, SplitPassage> splits = {};  // by passage
  std::vector<Outcome> outcomes = {};               // by passage
  std::mutex failures = {};  // parts of one passage may fail at the same time
};

}  // namespace diffie::engine
