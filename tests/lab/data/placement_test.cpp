#include "lab/data/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace diffie::data {
namespace {

Candidate at(std::uint32_t place, std::int32_t cost = 0) {
  return {place, static_cast<std::int32_t>(place), cost};
}

// Cost of one full placement: every token has that one place, or none to be skipped.
std::optional<std::int32_t> cost_of(std::vector<SlotToken> tokens, const std::vector<int>& choice) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (choice[i] < 0) {
      tokens[i].candidates.clear();
    } else {
      tokens[i].candidates = {tokens[i].candidates[static_cast<std::size_t>(choice[i])]};
      tokens[i].skip_cost.reset();
    }
  }
  const auto placed = place_tokens(tokens);
  return placed ? std::optional(placed->cost) : std::nullopt;
}

std::optional<std::int32_t> brute_force(const std::vector<SlotToken>& tokens) {
  std::optional<std::int32_t> best;
  std::vector<int> choice(tokens.size(), -1);
  while (true) {
    const auto cost = cost_of(tokens, choice);
    if (cost && (!best || *cost < *best)) best = cost;
    std::size_t i = 0;
    while (i < tokens.size() && ++choice[i] == static_cast<int>(tokens[i].candidates.size())) {
      choice[i++] = -1;
    }
    if (i == tokens.size()) return best;
  }
}

std::vector<SlotToken> random_tokens(std::mt19937& random) {
  std::vector<SlotToken> tokens;
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    const std::size_t size = 1 + random() % 3;
    for (std::size_t i = 0; i < size; ++i) {
      SlotToken token;
      token.slot = slot;
      if (random() % 3 == 0) token.skip_cost = 200 + static_cast<std::int32_t>(random() % 300);
      token.auxiliary = random() % 4 == 0;
      for (std::uint32_t place = 0; place < 9; ++place) {
        if (random() % 5 == 0) token.candidates.push_back(at(place, random() % 4 == 0 ? 300 : 0));
        if (!token.candidates.empty()) token.candidates.back().leads_on = random() % 3 == 0;
      }
      tokens.push_back(token);
    }
  }
  return tokens;
}

TEST(Placement, IsTheOptimumOverAllPlacements) {
  std::mt19937 random(7);
  int placed = 0;
  for (int round = 0; round < 300; ++round) {
    const std::vector<SlotToken> tokens = random_tokens(random);
    const auto found = place_tokens(tokens);
    const auto best = brute_force(tokens);
    ASSERT_EQ(found.has_value(), best.has_value()) << "round " << round;
    if (!found) continue;
    ++placed;
    EXPECT_EQ(found->cost, *best) << "round " << round;
    std::vector<std::uint32_t> taken;
    for (const auto& place : found->places) {
      if (place) taken.push_back(place->id);
    }
    std::ranges::sort(taken);
    EXPECT_EQ(std::ranges::adjacent_find(taken), taken.end()) << "a place is taken twice";
  }
  EXPECT_GT(placed, 50);
}

TEST(Placement, SharesNoPlaceBetweenSlots) {
  const std::vector<SlotToken> tokens = {{0, {}, false, {at(3)}}, {1, {}, false, {at(3)}}};
  EXPECT_FALSE(place_tokens(tokens));
}

TEST(Placement, LeavesNoSlotEmpty) {
  const std::vector<SlotToken> tokens = {
      {0, {}, false, {at(0)}}, {1, 100, false, {}}, {2, {}, false, {at(2)}}};
  EXPECT_FALSE(place_tokens(tokens));
  EXPECT_FALSE(place_tokens({}));
}

TEST(Placement, SkipsWhatIsTooFar) {
  const std::vector<SlotToken> tokens = {
      {0, {}, false, {at(0)}}, {1, 350, false, {at(30)}}, {1, {}, false, {at(1)}}};
  const auto placed = place_tokens(tokens);
  ASSERT_TRUE(placed);
  EXPECT_FALSE(placed->places[1]);
}

TEST(Placement, GivesUpAfterTheAllowedStates) {
  std::vector<SlotToken> tokens;
  std::vector<Candidate> everywhere;
  for (std::uint32_t place = 0; place < 12; ++place) everywhere.push_back(at(place));
  for (std::uint32_t i = 0; i < 13; ++i) tokens.push_back({0, {}, false, everywhere});
  EXPECT_FALSE(place_tokens(tokens, {}, 5000));  // 13 tokens, 12 places
}

}  // namespace
}  // namespace diffie::data
