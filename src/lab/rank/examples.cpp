#include "lab/rank/examples.h"

#include <algorithm>
#include <unordered_map>

#include "diffusion/random.h"
#include "diffusion/sampler.h"
#include "extract/fact_walk.h"
#include "extract/tree_ensemble.h"
#include "lab/score/sentence_key.h"
#include "lab/sweep/candidates.h"
#include "lab/sweep/subset.h"
#include "text/lowercase.h"

namespace diffie::rank {
namespace {

constexpr std::size_t kFactsPerDraw = 12;
constexpr std::size_t kWordingsPerFact = 3;

// Examples of one draw after the other, computed in parallel.
template <typename Walk>
Examples over_draws(std::span<const Draw> draws, base::Workers& threads, const Walk& walk) {
  std::vector<Examples> parts(draws.size());
  threads.parallel_for(draws.size(),
                       [&](std::size_t, std::size_t index) { walk(draws[index], parts[index]); });
  Examples all;
  std::size_t total = 0;
  for (const Examples& part : parts) total += part.rows.size();
  all.rows.reserve(total);
  for (std::size_t index = 0; index < parts.size(); ++index) {
    Examples& part = parts[index];
    all.rows.insert(all.rows.end(), part.rows.begin(), part.rows.end());
    all.worths.insert(all.worths.end(), part.worths.begin(), part.worths.end());
    all.folds.insert(all.folds.end(), part.rows.size(), static_cast<char>(draws[index].fold));
    part = {};
  }
  return all;
}

// The most frequent wording, the one that stands for the fact, and others as chance has it.
std::vector<std::size_t> some_wordings(const extract::Fact& fact, std::uint64_t chance) {
  std::vector<std::size_t> kept = {0};
  for (std::size_t i = 1; i < fact.wordings.size(); ++i)
    if (fact.wordings[i].candidate == fact.candidate) kept.push_back(i);
  for (std::size_t tries = fact.wordings.size(); tries > 0 && kept.size() < kWordingsPerFact;
       --tries) {
    const std::size_t other = chance % fact.wordings.size();
    chance /= 8;
    if (std::find(kept.begin(), kept.end(), other) == kept.end()) kept.push_back(other);
  }
  return kept;
}

}  // namespace

std::vector<Draw> make_draws(std::span<const RankPool> pools, std::span<const data::Row> gold,
                             const RankOptions& options, base::Workers& threads) {
  std::unordered_map<std::string, std::shared_ptr<const data::Row>> gold_by_key;
  for (const data::Row& row : gold) {
    if (!row.triples.empty())
      gold_by_key[score::sentence_key(row.sentence)] = std::make_shared<data::Row>(row);
  }
  std::vector<Draw> draws;
  for (std::size_t pool = 0; pool < pools.size(); ++pool) {
    for (const TagPool& tags : pools[pool].sentences) {
      const auto row = gold_by_key.find(score::sentence_key(tags.sentence));
      if (row == gold_by_key.end()) continue;
      const std::size_t fold = diffusion::sentence_key(options.seed, tags.sentence) %
                               static_cast<std::size_t>(options.folds);
      for (const std::int32_t wanted : options.samples) {
        const auto all = static_cast<std::size_t>(tags.num_samples());
        const std::size_t samples = wanted == 0 ? all : static_cast<std::size_t>(wanted);
        if (samples == 0 || samples > all) continue;
        if (wanted != 0 && samples == all &&
            std::find(options.samples.begin(), options.samples.end(), 0) != options.samples.end())
          continue;  // there already
        draws.push_back({pool, samples, fold, &tags, {}, row->second});
      }
    }
  }
  extract::PoolRules rules = options.rule;
  rules.tidy = options.tidy;
  threads.parallel_for(draws.size(), [&](std::size_t, std::size_t index) {
    Draw& draw = draws[index];
    std::vector<std::string> lower;
    for (const std::string& word : draw.tags->words) lower.push_back(text::lowercase(word));
    draw.candidates = sweep::make_candidates(
        *draw.tags, sweep::subset_counts(*draw.tags, draw.samples, options.seed, 0), lower, rules);
  });
  return draws;
}

Examples wording_examples(std::span<const Draw> draws, extract::Walk how, std::uint64_t seed,
                          base::Workers& threads) {
  return over_draws(draws, threads, [&](const Draw& draw, Examples& out) {
    const SentenceGold gold(draw.tags->words, draw.gold->triples, draw.tags->num_implied);
    ShownTriples shown(gold.size());
    extract::FactWalk walk(draw.candidates, how);
    const std::uint64_t key = diffusion::sentence_key(seed, draw.tags->sentence);
    for (std::uint32_t step = 0; step < kFactsPerDraw; ++step) {
      const std::optional<extract::Fact> fact = walk.next();
      if (!fact) break;
      const auto block =
          base::philox4x32({step, static_cast<std::uint32_t>(draw.samples), 0, 0x574F5244}, key);
      const std::vector<std::size_t> kept = some_wordings(*fact, block[0]);
      const std::size_t taken = kept[block[1] % kept.size()];
      std::optional<SentenceGold::Match> taken_match;
      const std::size_t first_row = out.worths.size();
      std::size_t reference = first_row;
      for (const std::size_t index : kept) {
        if (fact->wordings[index].candidate == fact->candidate) reference = out.worths.size();
        const extract::Wording& wording = fact->wordings[index];
        SentenceGold::Match match = gold.match(walk.candidate(wording.candidate).triple);
        out.rows.push_back(wording.features);
        out.worths.push_back(shown.worth_of(match));
        if (index == taken) taken_match = std::move(match);
      }
      // Against the candidate that stands for the fact: what a wording changes is small beside what
      // the fact is worth, and only the change matters here.
      const Worth base = out.worths[reference];
      for (std::size_t row = first_row; row < out.worths.size(); ++row) {
        out.worths[row].precision -= base.precision;
        out.worths[row].recall -= base.recall;
        out.worths[row].exact -= base.exact;
      }
      if (kept.size() < 2) {  // nothing to choose
        out.rows.resize(first_row);
        out.worths.resize(first_row);
      }
      shown.show(*taken_match);
      walk.show(fact->wordings[taken].candidate);
    }
  });
}

Examples shown_examples(std::span<const Draw> draws, extract::Walk how,
                        const extract::TreeEnsemble& wording, base::Workers& threads) {
  return over_draws(draws, threads, [&](const Draw& draw, Examples& out) {
    const SentenceGold gold(draw.tags->words, draw.gold->triples, draw.tags->num_implied);
    ShownTriples shown(gold.size());
    extract::FactWalk walk(draw.candidates, how);
    for (std::size_t step = 0; step < kFactsPerDraw; ++step) {
      const std::optional<extract::Fact> fact = walk.next();
      if (!fact) break;
      const extract::Wording& best = extract::best_wording(wording, fact->wordings);
      const SentenceGold::Match match = gold.match(walk.candidate(best.candidate).triple);
      out.rows.push_back(best.features);
      out.worths.push_back(shown.worth_of(match));
      shown.show(match);
      walk.show(best.candidate);
    }
  });
}

std::vector<JudgedTriple> judge(const Draw& draw, const extract::Selector& selector,
                                double right_f1) {
  const SentenceGold gold(draw.tags->words, draw.gold->triples, draw.tags->num_implied);
  std::vector<bool> right_for(gold.size(), false);
  std::vector<bool> equalled(gold.size(), false);
  std::vector<JudgedTriple> judged;
  for (extract::RankedTriple& ranked : selector.select(draw.candidates)) {
    JudgedTriple entry{std::move(ranked)};
    const SentenceGold::Match match = gold.match(entry.triple.triple);
    double best = right_f1;
    std::size_t best_fact = gold.size();
    for (std::size_t fact = 0; fact < gold.size(); ++fact) {
      const double f1 = score::f1(match.pairs[fact].precision, match.pairs[fact].recall);
      if (!right_for[fact] && f1 >= best) {
        best = f1;
        best_fact = fact;
      }
      if (match.exact[fact] && !equalled[fact]) entry.exact = equalled[fact] = true;
    }
    entry.right = best_fact < gold.size();
    if (entry.right) right_for[best_fact] = true;
    judged.push_back(std::move(entry));
  }
  return judged;
}

}  // namespace diffie::rank
