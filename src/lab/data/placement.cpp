#include "lab/data/placement.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <queue>

namespace diffie::data {
namespace {

constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// A token on one of its candidates. Node 0 is the state before the first token.
struct Node {
  std::uint32_t token = kNone;
  Candidate place;
  std::int32_t rest = kNever;  // least cost from here to the end when places may be shared
};

// A partial placement in the search.
struct State {
  std::uint32_t node = 0;
  std::uint32_t parent = kNone;
  std::int32_t cost = 0;
};

struct Entry {
  std::int32_t bound;  // cost so far + rest
  std::uint32_t state;
};

struct Worse {  // ties: the younger state first, which is the deeper one
  bool operator()(const Entry& a, const Entry& b) const {
    return a.bound != b.bound ? a.bound > b.bound : a.state < b.state;
  }
};

class Search {
 public:
  Search(std::span<const SlotToken> tokens, const PlacementCosts& costs)
      : tokens_(tokens), costs_(costs) {
    nodes_.emplace_back();
    for (std::uint32_t token = 0; token < tokens.size(); ++token) {
      first_node_.push_back(static_cast<std::uint32_t>(nodes_.size()));
      const bool new_slot = token == 0 || tokens[token].slot != tokens[token - 1].slot;
      first_of_slot_.push_back(new_slot ? token : first_of_slot_.back());
      for (const Candidate& place : tokens[token].candidates)
        nodes_.push_back({token, place, kNever});
    }
    first_node_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    for (std::size_t node = nodes_.size(); node-- > 0;) compute_rest(nodes_[node]);
  }

  std::optional<Placement> run(std::size_t max_expansions) {
    if (nodes_[0].rest == kNever) return std::nullopt;
    push({0, kNone, 0});
    for (std::size_t step = 0; step < max_expansions && !queue_.empty(); ++step) {
      const std::uint32_t index = queue_.top().state;
      queue_.pop();
      if (is_end(index)) return placement(index);
      expand(index);
    }
    return std::nullopt;
  }

 private:
  std::uint32_t next_token(const Node& node) const {
    return node.token == kNone ? 0 : node.token + 1;
  }

  // Calls visit(token, skip cost so far) for each token that can be placed next, and
  // end(skip cost) when all that are left may be skipped.
  template <typename Visit, typename End>
  void for_each_next(const Node& node, const Visit& visit, const End& end) const {
    std::int32_t skipped = 0;
    bool slot_has_place = node.token != kNone;
    for (std::uint32_t token = next_token(node); token < tokens_.size(); ++token) {
      const bool new_slot = token > 0 && tokens_[token].slot != tokens_[token - 1].slot;
      if (new_slot && !slot_has_place) return;  // would leave the slot before without any place
      if (new_slot) slot_has_place = false;
      visit(token, skipped);
      if (!tokens_[token].skip_cost) return;
      skipped += *tokens_[token].skip_cost;
    }
    if (slot_has_place) end(skipped);
  }

  std::int32_t step_cost(const Node& from, const Node& to) const {
    if (from.token == kNone) return to.place.cost;
    const std::int32_t way = to.place.at - from.place.at;
    const std::int32_t between = between_cost(to, way);
    if (tokens_[from.token].slot != tokens_[to.token].slot) return to.place.cost + between;
    const std::int32_t inside = inside_cost(from, to, way);
    const bool leads_on = to.place.leads_on && way < 0;
    return to.place.cost + (leads_on ? std::min(inside, between + costs_.leads_on) : inside);
  }

  std::int32_t words_on(std::int32_t way) const {
    return std::min(std::abs(way), costs_.max_words);
  }

  std::int32_t between_cost(const Node& to, std::int32_t way) const {
    std::int32_t cost = words_on(way) * costs_.between_word;
    if (way >= 0) return cost;  // 0: a mark and the word after it
    if (tokens_[to.token].auxiliary) cost += costs_.auxiliary_first;
    return cost + costs_.between_back;
  }

  std::int32_t inside_cost(const Node& from, const Node& to, std::int32_t way) const {
    if (way == 0 || way == 1) return 0;
    const bool auxiliary = tokens_[from.token].auxiliary;
    const std::int32_t other_form =
        auxiliary && to.place.cost > 0 ? costs_.auxiliary_other_form : 0;
    if (way < 0) {
      return costs_.back + words_on(way) * costs_.back_word + other_form +
             (auxiliary ? costs_.auxiliary_back : 0);
    }
    const auto words_before = static_cast<std::int32_t>(to.token - first_of_slot_[to.token]);
    return costs_.gap + (words_on(way) - 1) * costs_.gap_word + words_before * costs_.late_gap +
           other_form;
  }

  void compute_rest(Node& node) const {
    const auto consider = [&](std::int32_t rest) { node.rest = std::min(node.rest, rest); };
    for_each_next(
        node,
        [&](std::uint32_t token, std::int32_t skipped) {
          for (std::uint32_t n = first_node_[token]; n < first_node_[token + 1]; ++n) {
            const Node& next = nodes_[n];
            if (next.rest != kNever) consider(skipped + step_cost(node, next) + next.rest);
          }
        },
        consider);
  }

  void push(State state) {
    const std::int32_t bound = state.cost + (state.node == kNone ? 0 : nodes_[state.node].rest);
    states_.push_back(state);
    queue_.push({bound, static_cast<std::uint32_t>(states_.size() - 1)});
  }

  bool is_end(std::uint32_t state) const { return states_[state].node == kNone; }

  bool is_taken(std::uint32_t state, std::uint32_t id) const {
    for (; states_[state].node != 0; state = states_[state].parent) {
      if (nodes_[states_[state].node].place.id == id) return true;
    }
    return false;
  }

  void expand(std::uint32_t index) {
    const State state = states_[index];
    const Node& node = nodes_[state.node];
    for_each_next(
        node,
        [&](std::uint32_t token, std::int32_t skipped) {
          for (std::uint32_t n = first_node_[token]; n < first_node_[token + 1]; ++n) {
            const Node& next = nodes_[n];
            if (next.rest == kNever || is_taken(index, next.place.id)) continue;
            push({n, index, state.cost + skipped + step_cost(node, next)});
          }
        },
        [&](std::int32_t skipped) {
          push({kNone, index, state.cost + skipped});
        });
  }

  Placement placement(std::uint32_t end) const {
    Placement result;
    result.places.resize(tokens_.size());
    result.cost = states_[end].cost;
    for (std::uint32_t s = states_[end].parent; states_[s].node != 0; s = states_[s].parent) {
      const Node& node = nodes_[states_[s].node];
      result.places[node.token] = node.place;
    }
    return result;
  }

  std::span<const SlotToken> tokens_;
  const PlacementCosts& costs_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> first_node_;     // of each token, and one past the last
  std::vector<std::uint32_t> first_of_slot_;  // per token
  std::vector<State> states_;
  std::priority_queue<Entry, std::vector<Entry>, Worse> queue_;
};

}  // namespace

std::optional<Placement> place_tokens(std::span<const SlotToken> tokens,
                                      const PlacementCosts& costs, std::size_t max_expansions) {
  std::size_t num_places = 0;
  for (const SlotToken& token : tokens) num_places += token.candidates.size();
  if (num_places == 0 || num_places > kMaxPlaces) return std::nullopt;
  return Search(tokens, costs).run(max_expansions);
}

}  // namespace diffie::data
