// Pools and results made by scripts/golden/make_extract_golden.py, which shares no code with ours.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "extract/pools.h"
#include "settings/fields.h"

namespace diffie::extract {
namespace {

using nlohmann::json;

// "lenient TAU", "frequency", "coverage POWER WORDING"
Settings settings_of(const std::string& text, std::int32_t top_k) {
  Settings settings;
  std::istringstream fields(text);
  std::string selector;
  fields >> selector;
  set_setting(settings, "selector", selector);
  if (selector == "lenient") fields >> settings.tau;
  if (selector == "coverage") fields >> settings.power >> settings.wording;
  settings.top_k = top_k;
  return settings;
}

TEST(Golden, SelectorsAgreeWithTheScript) {
  std::ifstream file(DIFFIE_SOURCE_DIR "/tests/extract/golden.json");
  ASSERT_TRUE(file);
  const json cases = json::parse(file);
  ASSERT_GE(cases.size(), 30u);
  for (std::size_t index = 0; index < cases.size(); ++index) {
    const json& c = cases[index];
    CandidateSetBuilder builder(c["words"].get<std::vector<std::string>>(),
                                settings::rule_from_name(c["rule"].get<std::string>()));
    for (const json& row : c["rows"])
      builder.add(roles_of(row[0].get<std::string>()), row[1].get<std::uint32_t>());
    const CandidateSet pool = builder.finish();
    EXPECT_EQ(pool.candidates.size(), c["candidates"].get<std::size_t>());
    for (const auto& [name, expected] : c["expected"].items()) {
      SCOPED_TRACE(fmt::format("case {}, {}", index, name));
      const auto ranked = make_selector(settings_of(name, c["top_k"]))->select(pool);
      ASSERT_EQ(ranked.size(), expected.size());
      for (std::size_t i = 0; i < ranked.size(); ++i) {
        EXPECT_EQ(json(ranked[i].triple.words), expected[i]["words"]);
        EXPECT_NEAR(ranked[i].confidence, expected[i]["confidence"].get<double>(), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace diffie::extract
