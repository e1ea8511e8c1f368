#include "diffusion/anchored_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "diffie/error.h"
#include "diffusion/softmax4.h"

namespace diffie::diffusion {
namespace {

constexpr std::uint8_t kSubjectTag = 1, kRelationTag = 2, kObjectTag = 3;
constexpr double kSure = 0.9;       // above it the marginals themselves are nested
constexpr double kLeast = 0.12;     // a word below it is in no set
constexpr double kUnsureLow = 0.2;  // between these a second word of the relation is asked about
constexpr double kUnsureHigh = 0.8;
constexpr std::size_t kMaxAnchors = 8;   // of a sentence for relations, of a node for a role
constexpr std::size_t kSubjectSets = 2;  // of an anchor
constexpr std::size_t kObjectSets = 6;

using WordSet = std::vector<std::uint32_t>;  // rising
using Marginals = std::vector<double>;       // of a role, one per word

struct SetMass {
  WordSet words;
  double mass = 0;
};

// A triple under way: what is decided and how likely it is.
struct Node {
  std::size_t sentence = 0;
  double mass = 0;
  WordSet relation, subject;
};

// What is still to be explained of a node's marginals.
struct Rest {
  std::size_t node = 0;
  Marginals left;
  std::uint32_t anchor = 0;  // the word that is asked about next

  double mass() const { return left[anchor]; }
};

std::uint32_t argmax(const Marginals& values) {
  return static_cast<std::uint32_t>(std::max_element(values.begin(), values.end()) -
                                    values.begin());
}

WordSet without(const WordSet& words, const WordSet& others) {
  WordSet kept;
  kept.reserve(words.size());
  std::set_difference(words.begin(), words.end(), others.begin(), others.end(),
                      std::back_inserter(kept));
  return kept;
}

// Of what an anchor explains, `mass` of it; that is all of the anchor itself.
void explain(const Marginals& given_anchor, double mass, Marginals& left) {
  for (std::size_t word = 0; word < left.size(); ++word) {
    left[word] = std::max(left[word] - mass * given_anchor[word], 0.0);
  }
}

// One random number decides all words: the k likeliest are in with probability m_k - m_{k+1}. The
// anchors, whose marginals are 1, are in all sets. The likeliest sets first, at most `count`.
std::vector<SetMass> nested_sets(const Marginals& marginals, std::size_t num_anchors,
                                 std::size_t count) {
  WordSet likeliest;  // those that are in any set
  likeliest.reserve(marginals.size());
  double beyond = 0;  // the largest of the others
  for (std::uint32_t word = 0; word < marginals.size(); ++word) {
    if (marginals[word] > kLeast) {
      likeliest.push_back(word);
    } else {
      beyond = std::max(beyond, marginals[word]);
    }
  }
  std::sort(likeliest.begin(), likeliest.end(), [&](std::uint32_t a, std::uint32_t b) {
    return marginals[a] != marginals[b] ? marginals[a] > marginals[b] : a < b;
  });
  struct Size {
    std::size_t words = 0;
    double mass = 0;
  };
  std::vector<Size> sizes;
  sizes.reserve(likeliest.size());
  for (std::size_t k = num_anchors; k <= likeliest.size(); ++k) {
    const double next = k < likeliest.size() ? marginals[likeliest[k]] : beyond;
    sizes.push_back({k, marginals[likeliest[k - 1]] - next});
  }
  std::sort(sizes.begin(), sizes.end(), [](const Size& a, const Size& b) {
    return a.mass != b.mass ? a.mass > b.mass : a.words < b.words;
  });
  sizes.resize(std::min(sizes.size(), count));
  std::vector<SetMass> sets;
  sets.reserve(sizes.size());
  for (const Size& size : sizes) {
    const auto end = likeliest.begin() + static_cast<std::ptrdiff_t>(size.words);
    SetMass& set = sets.emplace_back(SetMass{WordSet(likeliest.begin(), end), size.mass});
    std::sort(set.words.begin(), set.words.end());
  }
  return sets;
}

// Equal nodes become one, in the order of their first.
void merge_equal(std::vector<Node>& nodes) {
  const auto key = [&](std::size_t at) {
    return std::tie(nodes[at].sentence, nodes[at].relation, nodes[at].subject);
  };
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<std::size_t> repeated;
  for (std::size_t i = 0, first = 0; i < order.size(); ++i) {
    if (i == first) continue;
    if (key(order[i]) == key(order[first])) {
      nodes[order[first]].mass += nodes[order[i]].mass;
      repeated.push_back(order[i]);
    } else {
      first = i;
    }
  }
  for (const std::size_t at : repeated) nodes[at].relation.clear();
  std::erase_if(nodes, [](const Node& node) { return node.relation.empty(); });
}

// Asks about rows of many sentences at once.
class Questions {
 public:
  Questions(std::span<const AnchoredSentence> sentences, Predictor& predictor,
            Prediction& prediction)
      : predictor_(predictor), prediction_(prediction), sentences_(sentences) {
    for (const AnchoredSentence& sentence : sentences) {
      std::vector<std::uint32_t> begins = {0};
      begins.reserve(sentence.piece_counts.size() + 1);
      for (const std::uint32_t pieces : sentence.piece_counts) {
        begins.push_back(begins.back() + pieces);
      }
      begins_.push_back(std::move(begins));
    }
    rows_.resize(sentences.size());
  }

  std::size_t num_words(std::size_t sentence) const {
    return sentences_[sentence].piece_counts.size();
  }
  bool is_implied(std::size_t sentence, std::size_t word) const {
    return word + sentences_[sentence].num_implied >= num_words(sentence);
  }

  // A row in which words are told: all pieces of those in sets, the first piece of an anchor.
  class Row {
   public:
    Row(Questions& questions, std::size_t sentence)
        : begins_(questions.begins_[sentence]), states_(questions.rows_[sentence]) {
      first_ = states_.size();
      states_.resize(first_ + begins_.back(), kMask);
      questions.asked_.push_back({sentence, first_ / std::max<std::size_t>(1, begins_.back())});
    }
    Row& tell(const WordSet& words, std::uint8_t role) {
      for (const std::uint32_t word : words) {
        std::fill(states_.begin() + at(begins_[word]), states_.begin() + at(begins_[word + 1]),
                  role);
      }
      return *this;
    }
    Row& anchor(std::uint32_t word, std::uint8_t role) {
      states_[first_ + begins_[word]] = role;
      return *this;
    }

   private:
    std::ptrdiff_t at(std::uint32_t piece) const {
      return static_cast<std::ptrdiff_t>(first_ + piece);
    }
    const std::vector<std::uint32_t>& begins_;
    std::vector<std::uint8_t>& states_;
    std::size_t first_ = 0;
  };
  Row add(std::size_t sentence) { return {*this, sentence}; }

  // Of the rows added since the last call, in their order: how likely each word has the role.
  std::vector<Marginals> ask(std::int32_t stage, std::uint8_t role) {
    std::vector<Marginals> answers;
    if (asked_.empty()) return answers;
    answers.reserve(asked_.size());
    std::vector<SampleBlock> blocks;
    std::vector<std::size_t> first_rows = {0};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      blocks.push_back({0, 0, std::max<std::size_t>(1, begins_[i].back()), rows_[i]});
      first_rows.push_back(first_rows.back() + blocks.back().rows());
    }
    predictor_.predict(blocks, stage, prediction_);
    for (const auto& [sentence, row] : asked_) {
      const std::size_t slot = prediction_.slot_of_row[first_rows[sentence] + row];
      const float* logits = prediction_.logits.data() + prediction_.logits_begin[sentence] +
                            slot * blocks[sentence].length * kNumTags;
      answers.push_back(marginals(sentence, logits, role));
    }
    asked_.clear();
    for (std::vector<std::uint8_t>& rows : rows_) rows.clear();
    return answers;
  }

 private:
  // A word is as likely as the least likely of its pieces.
  Marginals marginals(std::size_t sentence, const float* logits, std::uint8_t role) const {
    Marginals values(num_words(sentence), 0.0);
    for (std::size_t word = 0; word < values.size(); ++word) {
      if (role != kRelationTag && is_implied(sentence, word)) continue;
      double least = 1;
      for (std::uint32_t piece = begins_[sentence][word]; piece < begins_[sentence][word + 1];
           ++piece) {
        double weights[kNumTags];
        softmax_weights(logits + piece * kNumTags, weights);
        const double sum = weights[0] + weights[1] + weights[2] + weights[3];
        least = std::min(least, weights[role] / sum);
      }
      values[word] = least;
    }
    return values;
  }

  struct Asked {
    std::size_t sentence = 0, row = 0;
  };

  Predictor& predictor_;
  Prediction& prediction_;
  std::span<const AnchoredSentence> sentences_;
  std::vector<std::vector<std::uint32_t>> begins_;  // of the words' pieces, and the end
  std::vector<std::vector<std::uint8_t>> rows_;     // per sentence, one after the other
  std::vector<Asked> asked_;
};

struct Choices {
  double theta = 0;
  std::size_t branch = 1;
  bool refine = false;
};

// Which relations a sentence has.
class RelationSearch {
 public:
  RelationSearch(Questions& questions, std::size_t num_sentences, const Choices& choices)
      : questions_(questions), choices_(choices), num_anchors_(num_sentences, 0) {
    for (std::size_t i = 0; i < num_sentences; ++i) questions_.add(i);
    left_ = questions_.ask(stage::kNothing, kRelationTag);
  }

  std::vector<Node> run() {
    while (find_anchors()) {
      for (const Anchor& anchor : anchors_) {
        questions_.add(anchor.sentence).anchor(anchor.word, kRelationTag);
      }
      given_ = questions_.ask(stage::kOneOfRelation, kRelationTag);
      for (std::size_t i = 0; i < anchors_.size(); ++i) {
        const Anchor& anchor = anchors_[i];
        given_[i][anchor.word] = 1;
        explain(given_[i], anchor.mass, left_[anchor.sentence]);
        keep_one_implied(anchor.sentence, {anchor.word}, given_[i]);
      }
      if (choices_.refine) ask_second_words();
      for (std::size_t i = 0; i < anchors_.size(); ++i) add_relations(i);
    }
    merge_equal(nodes_);
    std::erase_if(nodes_, [&](const Node& node) { return node.mass < choices_.theta; });
    return std::move(nodes_);
  }

 private:
  struct Anchor {
    std::size_t sentence = 0;
    std::uint32_t word = 0;
    double mass = 0;
    std::optional<std::uint32_t> second;
    Marginals given_both;
  };

  // The next word of each sentence that no anchor explains; a sentence without one is done.
  bool find_anchors() {
    anchors_.clear();
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (left_[i].empty() || num_anchors_[i] == kMaxAnchors) continue;
      const std::uint32_t word = argmax(left_[i]);
      if (!(left_[i][word] >= choices_.theta)) continue;
      ++num_anchors_[i];
      anchors_.push_back({i, word, left_[i][word], std::nullopt, {}});
    }
    return !anchors_.empty();
  }

  // A relation has one implied verb at most, the likeliest.
  void keep_one_implied(std::size_t sentence, std::initializer_list<std::uint32_t> anchors,
                        Marginals& marginals) const {
    std::size_t best = marginals.size();
    for (std::size_t word = marginals.size();
         word-- > 0 && questions_.is_implied(sentence, word);) {
      const bool told = std::find(anchors.begin(), anchors.end(), word) != anchors.end();
      if (told) {
        best = word;
        break;
      }
      if (best == marginals.size() || marginals[word] >= marginals[best]) best = word;
    }
    for (std::size_t word = marginals.size();
         word-- > 0 && questions_.is_implied(sentence, word);) {
      if (word != best) marginals[word] = 0;
    }
  }

  // Where the first word leaves the relation unsure.
  void ask_second_words() {
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < anchors_.size(); ++i) {
      Anchor& anchor = anchors_[i];
      if (anchor.mass * 0.5 < choices_.theta) continue;
      for (std::uint32_t word = 0; word < given_[i].size(); ++word) {
        const double value = given_[i][word];
        if (!(value > kUnsureLow && value < kUnsureHigh)) continue;
        if (!anchor.second || std::abs(value - 0.5) < std::abs(given_[i][*anchor.second] - 0.5)) {
          anchor.second = word;
        }
      }
      if (!anchor.second) continue;
      asked.push_back(i);
      questions_.add(anchor.sentence)
          .anchor(anchor.word, kRelationTag)
          .anchor(*anchor.second, kRelationTag);
    }
    std::vector<Marginals> answers = questions_.ask(stage::kTwoOfRelation, kRelationTag);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      Anchor& anchor = anchors_[asked[k]];
      keep_one_implied(anchor.sentence, {anchor.word, *anchor.second}, answers[k]);
      answers[k][anchor.word] = answers[k][*anchor.second] = 1;
      anchor.given_both = std::move(answers[k]);
    }
  }

  void add_relations(std::size_t index) {
    const Anchor& anchor = anchors_[index];
    constexpr std::size_t kSets = 6;
    std::vector<SetMass> sets = nested_sets(given_[index], 1, kSets);
    if (anchor.second) {
      const std::uint32_t second = *anchor.second;
      std::erase_if(sets, [&](const SetMass& set) {
        return std::binary_search(set.words.begin(), set.words.end(), second);
      });
      std::vector<SetMass> with = nested_sets(anchor.given_both, 2, kSets);
      for (SetMass& set : with) set.mass *= given_[index][second];
      sets.insert(sets.begin(), with.begin(), with.end());
      std::stable_sort(sets.begin(), sets.end(),
                       [](const SetMass& a, const SetMass& b) { return a.mass > b.mass; });
    }
    if (sets.size() > choices_.branch) sets.resize(choices_.branch);
    for (SetMass& set : sets) {
      nodes_.push_back({anchor.sentence, anchor.mass * set.mass, std::move(set.words), {}});
    }
  }

  Questions& questions_;
  const Choices& choices_;
  std::vector<Marginals> left_;           // per sentence
  std::vector<std::size_t> num_anchors_;  // per sentence
  std::vector<Anchor> anchors_;           // of this round
  std::vector<Marginals> given_;          // per anchor
  std::vector<Node> nodes_;
};

// The words of one more role for every node.
struct RoleSearch {
  std::uint8_t role = 0;
  std::int32_t stage = 0;  // of a row with an anchor
  std::size_t sets = 1;    // of an anchor
  double theta = 0;

  struct Found {
    std::size_t node = 0;
    WordSet words;
    double mass = 0;
  };

  // marginals: of each node.
  std::vector<Found> run(Questions& questions, std::span<const Node> nodes,
                         std::vector<Marginals> marginals) const {
    std::vector<Found> found;
    std::vector<Rest> live;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Rest whole{i, std::move(marginals[i])};
      whole.anchor = argmax(whole.left);
      if (!take_whole(nodes[i], whole, found)) live.push_back(std::move(whole));
    }
    for (std::size_t round = 0; round < kMaxAnchors && !live.empty(); ++round) {
      std::erase_if(live, [&](const Rest& rest) {
        return !is_worth_asking(nodes[rest.node], rest.mass(), round == 0);
      });
      for (const Rest& rest : live) {
        const Node& node = nodes[rest.node];
        questions.add(node.sentence)
            .tell(node.relation, kRelationTag)
            .tell(node.subject, kSubjectTag)
            .anchor(rest.anchor, role);
      }
      std::vector<Marginals> answers = questions.ask(stage, role);
      for (std::size_t i = 0; i < live.size(); ++i) {
        Rest& rest = live[i];
        answers[i][rest.anchor] = 1;
        for (SetMass& set : nested_sets(answers[i], 1, sets)) {
          found.push_back(
              {rest.node, std::move(set.words), nodes[rest.node].mass * rest.mass() * set.mass});
        }
        explain(answers[i], rest.mass(), rest.left);
        rest.anchor = argmax(rest.left);
      }
    }
    return found;
  }

 private:
  // One word is sure: all others are asked about already.
  bool take_whole(const Node& node, const Rest& whole, std::vector<Found>& found) const {
    if (whole.mass() < kSure || !is_worth_asking(node, whole.mass(), true)) return false;
    Marginals relative = whole.left;
    for (double& value : relative) value /= whole.mass();
    for (SetMass& set : nested_sets(relative, 1, sets)) {
      found.push_back({whole.node, std::move(set.words), node.mass * set.mass});
    }
    return true;
  }

  // top: of what is left.
  bool is_worth_asking(const Node& node, double top, bool is_first) const {
    return node.mass * top >= theta || (is_first && top > kUnsureLow && node.mass >= theta);
  }
};

// Marginals of a role for each node, with what is decided told and out of the question.
std::vector<Marginals> ask_role(Questions& questions, std::span<const Node> nodes,
                                std::int32_t stage, std::uint8_t role) {
  for (const Node& node : nodes) {
    questions.add(node.sentence).tell(node.relation, kRelationTag).tell(node.subject, kSubjectTag);
  }
  std::vector<Marginals> marginals = questions.ask(stage, role);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::uint32_t word : nodes[i].relation) marginals[i][word] = 0;
    for (const std::uint32_t word : nodes[i].subject) marginals[i][word] = 0;
  }
  return marginals;
}

std::vector<Node> find_subjects(Questions& questions, std::span<const Node> relations,
                                double theta) {
  const RoleSearch search{kSubjectTag, stage::kOneOfSubject, kSubjectSets, theta};
  std::vector<Marginals> marginals = ask_role(questions, relations, stage::kRelation, kSubjectTag);
  std::vector<Node> nodes;
  for (const RoleSearch::Found& found : search.run(questions, relations, std::move(marginals))) {
    if (found.mass < theta) continue;
    Node node = relations[found.node];
    node.subject = without(found.words, node.relation);
    node.mass = found.mass;
    if (!node.subject.empty()) nodes.push_back(std::move(node));
  }
  merge_equal(nodes);
  return nodes;
}

using WeightByTags = std::map<std::string, double>;

std::vector<WeightByTags> find_objects(Questions& questions, std::span<const Node> nodes,
                                       std::size_t num_sentences, double theta) {
  const RoleSearch search{kObjectTag, stage::kOneOfObject, kObjectSets, theta};
  std::vector<Marginals> marginals = ask_role(questions, nodes, stage::kSubject, kObjectTag);
  std::vector<WeightByTags> weights(num_sentences);
  for (const RoleSearch::Found& found : search.run(questions, nodes, std::move(marginals))) {
    const Node& node = nodes[found.node];
    std::string tags(questions.num_words(node.sentence), 'B');
    for (const std::uint32_t word : found.words) tags[word] = 'O';
    for (const std::uint32_t word : node.subject) tags[word] = 'S';
    for (const std::uint32_t word : node.relation) tags[word] = 'R';
    if (tags.find('O') == std::string::npos) continue;
    weights[node.sentence][std::move(tags)] += found.mass;
  }
  return weights;
}

std::vector<WeightedTags> in_units(WeightByTags weights) {
  double total = 0;
  for (const auto& [tags, weight] : weights) total += weight;
  const double unit = kWeightUnit / std::max(1.0, total);
  std::vector<WeightedTags> result;
  result.reserve(weights.size());
  while (!weights.empty()) {
    auto entry = weights.extract(weights.begin());
    const auto units = static_cast<std::uint32_t>(entry.mapped() * unit);
    if (units > 0) result.push_back({std::move(entry.key()), units});
  }
  std::stable_sort(result.begin(), result.end(), [](const WeightedTags& a, const WeightedTags& b) {
    return a.weight > b.weight;
  });
  return result;
}

}  // namespace

AnchoredDecoder::AnchoredDecoder(const DiffusionConfig& diffusion, const Settings& settings)
    : theta_(settings.theta),
      branch_(static_cast<std::size_t>(settings.branch)),
      refine_(settings.refine) {
  if (diffusion.kernel != KernelKind::kAnchored || diffusion.steps != stage::kLast) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("anchored decoding of a model with kernel {} and {} steps",
                            name_of(diffusion.kernel), diffusion.steps));
  }
}

std::vector<std::vector<WeightedTags>> AnchoredDecoder::decode(
    std::span<const AnchoredSentence> sentences, Predictor& predictor,
    Prediction& prediction) const {
  const Choices choices{theta_, branch_, refine_};
  Questions questions(sentences, predictor, prediction);
  const std::vector<Node> relations = RelationSearch(questions, sentences.size(), choices).run();
  const std::vector<Node> subjects = find_subjects(questions, relations, theta_);
  std::vector<std::vector<WeightedTags>> result;
  for (WeightByTags& weights : find_objects(questions, subjects, sentences.size(), theta_)) {
    result.push_back(in_units(std::move(weights)));
  }
  return result;
}

}  // namespace diffie::diffusion
