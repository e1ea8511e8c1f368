#include "engine/judging.h"

#include <algorithm>
#include <map>

#include "engine/stop.h"

namespace diffie::engine {
namespace {

// Where each word's pieces begin, and the end.
std::vector<std::size_t> piece_begins(std::span<const std::uint32_t> piece_counts) {
  std::vector<std::size_t> begins = {0};
  begins.reserve(piece_counts.size() + 1);
  for (const std::uint32_t pieces : piece_counts) begins.push_back(begins.back() + pieces);
  return begins;
}

// The candidate's role for every piece of a word, background for those of the others.
void append_tags(const extract::Triple& triple, std::span<const std::size_t> begins,
                 std::vector<std::uint8_t>& tags) {
  const std::size_t first = tags.size();
  tags.resize(first + begins.back(), 0);
  for (std::size_t role = 0; role < triple.words.size(); ++role) {
    for (const std::uint32_t word : triple.words[role]) {
      for (std::size_t piece = begins[word]; piece < begins[word + 1]; ++piece) {
        tags[first + piece] = static_cast<std::uint8_t>(role + 1);
      }
    }
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
                  const std::stop_token& stop, TaskTimes& times) {
  throw_if_stopped(stop);
  const StageClock clock(times, kJudge);
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

void Judging::add_rows(const JudgedPassage& passage, TaskTimes& times) {
  const std::vector<extract::Candidate>& candidates = passage.pool->candidates;
  const std::size_t rows = std::min(judged_, candidates.size());
  const std::vector<std::size_t> begins = piece_begins(passage.passage->piece_counts);
  for (std::size_t i = 0; i < rows; ++i) {
    append_tags(candidates[i].triple, begins, tags_);
    offsets_.push_back(static_cast<std::uint32_t>(tags_.size()));
  }
  context_begin_.resize(context_begin_.size() + rows, passage.first_token);
  times.judged += rows;
  times.judge_flop +=
      static_cast<double>(rows) * judge_flop(config_, passage.passage->piece_ids.size());
}

}  // namespace diffie::engine
