#include "diffie/trace.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "diffusion/anchored_decoder.h"
#include "diffusion/softmax4.h"
#include "engine/engine.h"
#include "engine/quote.h"
#include "extract/cluster.h"
#include "extract/role_letters.h"
#include "text/sentence.h"

namespace diffie {
namespace engine {
namespace {

constexpr char kUndecided = '_';

std::string letters_of(std::span<const std::uint8_t> states) {
  std::string letters;
  for (const std::uint8_t state : states) {
    letters += state == diffusion::kMask ? kUndecided : extract::kRoleLetters[state];
  }
  return letters;
}

// Logits that are not finite are read as tag 0, as the sampler reads them.
std::array<float, 4> probabilities_of(const float* logits) {
  double weights[diffusion::kNumTags];
  diffusion::softmax_weights(logits, 1.0, weights);
  const double sum = weights[0] + weights[1] + weights[2] + weights[3];
  if (!std::isfinite(sum)) return {1, 0, 0, 0};
  std::array<float, 4> probabilities;
  std::transform(weights, weights + diffusion::kNumTags, probabilities.begin(),
                 [&](double weight) { return static_cast<float>(weight / sum); });
  return probabilities;
}

Trace::Step step_of(const AskedRow& row) {
  Trace::Step step{row.time, letters_of(row.states), {}};
  for (std::size_t piece = 0; piece < row.states.size(); ++piece) {
    step.probabilities.push_back(probabilities_of(row.logits.data() + piece * diffusion::kNumTags));
  }
  return step;
}

// What anchored decoding asks on its way, in this order.
struct Question {
  std::int32_t stage;
  std::string_view whole;  // roles of which all pieces are revealed
};
constexpr Question kQuestions[] = {
    {diffusion::stage::kNothing, ""},       {diffusion::stage::kOneOfRelation, ""},
    {diffusion::stage::kTwoOfRelation, ""}, {diffusion::stage::kRelation, "R"},
    {diffusion::stage::kOneOfSubject, "R"}, {diffusion::stage::kSubject, "RS"},
    {diffusion::stage::kOneOfObject, "RS"},
};

// Whether what stands in `before` still does, all else is as in `tags`, and nothing is missing.
bool leads_on(const std::string& before, const std::string& state, const std::string& tags,
              std::string_view whole) {
  for (std::size_t piece = 0; piece < tags.size(); ++piece) {
    const bool is_decided = state[piece] != kUndecided;
    const bool must_be =
        before[piece] != kUndecided || whole.find(tags[piece]) != std::string_view::npos;
    if (is_decided ? state[piece] != tags[piece] : must_be) return false;
  }
  return true;
}

std::vector<Trace::Step> anchored_steps(std::span<const AskedRow> rows, const std::string& tags) {
  std::vector<Trace::Step> steps;
  std::string before(tags.size(), kUndecided);
  for (const Question& question : kQuestions) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const AskedRow& row) {
      return row.time == question.stage &&
             leads_on(before, letters_of(row.states), tags, question.whole);
    });
    if (found == rows.end()) continue;
    steps.push_back(step_of(*found));
    before = steps.back().state;
  }
  return steps;
}

std::vector<Trace::Step> sampled_steps(std::span<const AskedRow> rows, std::size_t block) {
  std::vector<Trace::Step> steps;
  for (const AskedRow& row : rows) {
    if (row.block == block) steps.push_back(step_of(row));
  }
  return steps;
}

// Turns what was recorded into what is told.
class Teller {
 public:
  Teller(const ModelParts& model, const Settings& settings, const Recording& recording,
         std::string_view sentence)
      : model_(model), settings_(settings), recording_(recording), sentence_(sentence) {}

  std::vector<Trace::Piece> pieces() const {
    const auto mode = settings_.pretokenized ? text::WordMode::kPretokenized : text::WordMode::kRaw;
    const std::vector<Span> bytes =
        text::tokenize_sentence(model_.tokenizer, sentence_, mode).piece_bytes;
    std::vector<Trace::Piece> pieces;
    for (std::uint32_t word = 0; word < passage().piece_counts.size(); ++word) {
      for (std::uint32_t piece = 0; piece < passage().piece_counts[word]; ++piece) {
        const std::size_t index = pieces.size();
        const bool is_implied = word >= passage().word_bytes.size();
        pieces.push_back({std::string(model_.tokenizer.piece(passage().piece_ids[index])),
                          is_implied ? Span{} : bytes[index], word, is_implied});
      }
    }
    return pieces;
  }

  std::vector<Trace::Trajectory> trajectories() const {
    const bool is_anchored = model_.config.diffusion.kernel == diffusion::KernelKind::kAnchored;
    std::vector<Trace::Trajectory> trajectories;
    for (std::size_t i = 0; i < recording_.tags.size(); ++i) {
      if (trajectories.size() == recording_.max_trajectories) break;
      const auto& [word_tags, count] = recording_.tags[i];
      // What the weights of decoding lack is the end of no way.
      if (is_anchored && word_tags.find_first_not_of('B') == std::string::npos) continue;
      Trace::Trajectory trajectory{share(count), spread(word_tags), {}, {}};
      if (recording_.triples[i]) trajectory.triple = triple(*recording_.triples[i]);
      trajectory.steps = is_anchored ? anchored_steps(recording_.rows, trajectory.tags)
                                     : sampled_steps(recording_.rows, i);
      trajectory.steps.push_back({0, trajectory.tags, {}});
      trajectories.push_back(std::move(trajectory));
    }
    return trajectories;
  }

  std::vector<Trace::Cluster> clusters() const {
    std::map<extract::Triple, double> confidences;
    for (const auto& [triple, confidence] : recording_.chosen) confidences[triple] = confidence;
    std::vector<Trace::Cluster> clusters;
    for (const extract::Cluster& each : extract::lenient_clusters(recording_.pool, settings_.tau)) {
      const extract::Triple* shown = &candidate(each.members.front());
      std::optional<double> confidence;
      for (const std::size_t member : each.members) {
        const auto chosen = confidences.find(candidate(member));
        if (chosen == confidences.end() || confidence >= chosen->second) continue;
        shown = &chosen->first;
        confidence = chosen->second;
      }
      clusters.push_back({triple(*shown), share(each.mass), each.members.size(), confidence});
    }
    return clusters;
  }

 private:
  const Passage& passage() const { return recording_.passage; }
  const extract::Triple& candidate(std::size_t index) const {
    return recording_.pool.candidates[index].triple;
  }
  double share(std::uint64_t count) const {
    return static_cast<double>(count) / recording_.pool.num_samples;
  }

  // Every piece has its word's.
  std::string spread(std::string_view word_tags) const {
    std::string tags;
    for (std::size_t word = 0; word < word_tags.size(); ++word) {
      tags.append(passage().piece_counts[word], word_tags[word]);
    }
    return tags;
  }

  Trace::Triple triple(const extract::Triple& words) const {
    Extraction quoted =
        quote({words, 0}, sentence_, passage().word_bytes, model_.config.implied_words);
    return {std::move(quoted.subject), std::move(quoted.relation), std::move(quoted.object)};
  }

  const ModelParts& model_;
  const Settings& settings_;
  const Recording& recording_;
  std::string_view sentence_;
};

}  // namespace
}  // namespace engine

Trace trace(const std::shared_ptr<const Model>& model, const Settings& settings,
            std::string_view sentence, std::size_t max_trajectories, const std::stop_token& stop) {
  settings.validate();
  Settings alone = settings;
  alone.threads = 1;
  const engine::ModelParts& parts = engine::ModelParts::of(engine::checked(model));
  engine::Recording recording =
      engine::Engine(parts, alone).record(sentence, max_trajectories, stop);
  const engine::Teller teller(parts, settings, recording, sentence);
  Trace trace;
  trace.kernel = diffusion::name_of(parts.config.diffusion.kernel);
  trace.num_steps = parts.config.diffusion.steps;
  trace.is_cut = recording.is_cut;
  trace.pieces = teller.pieces();
  trace.trajectories = teller.trajectories();
  trace.clusters = teller.clusters();
  trace.extractions = std::move(recording.extractions);
  return trace;
}

}  // namespace diffie
