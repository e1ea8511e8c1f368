#include "lab/rank/measures.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "diffie/lab/score.h"

namespace diffie::rank {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

// base-f0-t4 -> base-t4: the folds of one model are one pool.
std::string without_fold(std::string name) {
  for (std::size_t at = name.find("-f"); at != std::string::npos; at = name.find("-f", at + 1)) {
    std::size_t end = at + 2;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
    if (end > at + 2 && (end == name.size() || name[end] == '-')) return name.erase(at, end - at);
  }
  return name;
}

GoldSentence gold_sentence(const SentenceGold& gold, const std::string& id) {
  GoldSentence sentence;
  sentence.sentence = id;
  for (std::size_t fact = 0; fact < gold.size(); ++fact) {
    const auto& [subject, relation, object] = gold.slots(fact);
    GoldTuple tuple{{joined(relation), {}, 0}, {{joined(subject), {}, 0}}, 0};
    if (!object.empty()) tuple.arguments.push_back({joined(object), {}, 0});
    sentence.tuples.push_back(std::move(tuple));
  }
  sentence.num_facts = sentence.tuples.size();
  return sentence;
}

constexpr double kAnyF1 = 0.7;  // who is right is not measured here

// A sentence's part of what is measured.
struct Part {
  GoldSentence gold;
  PredictedSentence predicted;
  std::vector<Judged> exact;  // confidence, equal to a gold fact
};

struct StrictF1 {
  double f1 = 0;
  double threshold = 0;
};

// Over all thresholds, the highest of the best.
StrictF1 best_strict_f1(std::vector<Judged> triples, std::size_t num_gold) {
  std::sort(triples.begin(), triples.end(),
            [](const Judged& a, const Judged& b) { return a.score > b.score; });
  StrictF1 best{0, triples.empty() ? 0 : triples.front().score};
  double right = 0;
  for (std::size_t i = 0; i < triples.size(); ++i) {
    right += triples[i].right ? 1 : 0;
    if (i + 1 < triples.size() && triples[i + 1].score == triples[i].score) continue;
    const double f1 = 2 * right / static_cast<double>(i + 1 + num_gold);
    if (f1 > best.f1) best = {f1, triples[i].score};
  }
  return best;
}

}  // namespace

std::vector<RankRow> measure(std::span<const Draw> draws, std::span<const RankPool> pools,
                             const std::string& selector_name, const SelectorOf& selector_of,
                             base::Workers& threads) {
  std::vector<Part> parts(draws.size());
  threads.parallel_for(draws.size(), [&](std::size_t, std::size_t index) {
    const Draw& draw = draws[index];
    const SentenceGold gold(draw.tags->words, draw.gold->triples);
    const std::string id = "s" + std::to_string(index);
    parts[index].gold = gold_sentence(gold, id);
    parts[index].predicted = {"", id, {}};
    for (const JudgedTriple& entry : judge(draw, selector_of(draw), kAnyF1)) {
      const auto [subject, relation, object] = gold.slots_of(entry.triple.triple);
      parts[index].predicted.tuples.push_back(
          {joined(relation), {joined(subject), joined(object)}, entry.triple.confidence});
      parts[index].exact.push_back({entry.triple.confidence, entry.exact});
    }
  });
  std::map<std::pair<std::string, std::size_t>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < draws.size(); ++i)
    groups[{without_fold(pools[draws[i].pool].name), draws[i].samples}].push_back(i);
  std::vector<RankRow> rows;
  for (const auto& [key, members] : groups) {
    GoldStandard gold;
    SystemOutput output;
    std::vector<Judged> exact;
    std::size_t num_gold = 0;
    for (const std::size_t i : members) {
      gold.sentences.push_back(parts[i].gold);
      output.sentences.push_back(parts[i].predicted);
      exact.insert(exact.end(), parts[i].exact.begin(), parts[i].exact.end());
      num_gold += parts[i].gold.tuples.size();
    }
    const StrictF1 strict = best_strict_f1(std::move(exact), num_gold);
    const Score carb = score_system(gold, output, Measure::kCarb);
    RankRow row{key.first,
                static_cast<std::int32_t>(key.second),
                selector_name,
                carb.f1,
                carb.auc.value_or(0),
                score_system(gold, output, Measure::kCarb11).f1,
                strict.f1,
                strict.threshold};
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<PlainSelector> plain_selectors(std::int32_t top_k) {
  Settings settings;
  settings.top_k = top_k;
  std::vector<PlainSelector> plain;
  plain.push_back({"lenient", extract::make_selector(settings)});
  settings.selector = SelectorKind::kCoverage;
  plain.push_back({"coverage", extract::make_selector(settings)});
  settings.wording = 0.8;
  plain.push_back({"coverage, wording 0.8", extract::make_selector(settings)});
  return plain;
}

}  // namespace diffie::rank
