#include "engine/judging.h"

#include <algorithm>
#include <map>

#include "engine/stage_clock.h"
#include "engine/stop.h"

namespace diffie::engine {
namespace {

// The candidate's role for every piece of a word, background for those of the others.
void append_tags(const extract::Triple& triple, std::span<const std::uint32_t> piece_counts,
                 std::vector<std::uint8_t>& tags) {
  std::vector<std::uint8_t> of_words(piece_counts.size(), 0);
  for (std::size_t role = 0; role < triple.words.size(); ++role) {
    for (const std::uint32_t word : triple.words[role]) {
      of_words[word] = static_cast<std::uint8_t>(role + 1);
    }
  }
  for (std::size_t word = 0; word < of_words.size(); ++word) {
    tags.insert(tags.end(), piece_counts[word], of_words[word]);
  }
}

}  // namespace

std::vector<model::Judgement> judgements_of(std::span<const std::optional<extract::Triple>> triples,
                                            const extract::CandidateSet& pool) {
  std::map<extract::Triple, model::Judgement> by_triple;
  for (const extract::Candidate& candidate : pool.candidates) {
    by_triple[candidate.triple] = {candidate.exact, candidate.lenient};
  }
  std::vector<model::Judgement> judgements;
  for (const std::optional<extract::Triple>& triple : triples) {
    judgements.push_back(triple ? by_triple.at(*triple) : model::Judgement{-1, -1});
  }
  return judgements;
}

void Judging::run(const model::Context& encoded, std::span<const JudgedPassage> passages,
                  const std::stop_token& stop, StageTimes& times) {
  throw_if_stopped(stop);
  const StageClock clock(times.judge_s);
  offsets_.assign(1, 0);
  context_begin_.clear();
  tags_.clear();
  for (const JudgedPassage& passage : passages) add_rows(passage, times);
  judgements_.resize(context_begin_.size());
  runner_.judge(encoded, {offsets_, context_begin_}, tags_, judgements_);
  std::size_t row = 0;
  for (const JudgedPassage& passage : passages) {
    std::vector<extract::Candidate>& candidates = passage.pool->candidates;
    for (std::size_t i = 0; i < std::min(judged_, candidates.size()); ++i, ++row) {
      candidates[i].exact = judgements_[row].exact;
      candidates[i].lenient = judgements_[row].lenient;
    }
  }
}

void Judging::add_rows(const JudgedPassage& passage, StageTimes& times) {
  const std::vector<extract::Candidate>& candidates = passage.pool->candidates;
  const std::size_t rows = std::min(judged_, candidates.size());
  for (std::size_t i = 0; i < rows; ++i) {
    append_tags(candidates[i].triple, passage.passage->piece_counts, tags_);
    offsets_.push_back(static_cast<std::uint32_t>(tags_.size()));
  }
  context_begin_.resize(context_begin_.size() + rows, passage.first_token);
  times.judged += rows;
  times.judge_flop +=
      static_cast<double>(rows) * judge_flop(config_, passage.passage->piece_ids.size());
}

}  // namespace diffie::engine
