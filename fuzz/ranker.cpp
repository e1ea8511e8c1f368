// ranker.json: what is taken answers for any features, with probabilities.
#include <cmath>
#include <limits>

#include "extract/rankers.h"
#include "json_damage.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace diffie;
  static const fuzz::JsonDamage valid = [] {
    extract::Ranker ranker;
    ranker.wording = extract::staircase("share", 2);
    ranker.worth = extract::staircase("fact_gain_2", 3);
    ranker.calibration = extract::Calibration({{0, 0.1}, {1, 0.5}, {3, 0.9}});
    std::string compact = extract::to_json(ranker);
    std::erase_if(compact, [](char c) { return c == ' ' || c == '\n'; });
    extract::parse_ranker(compact, "valid");
    return fuzz::JsonDamage(compact);
  }();
  const std::string text = valid.from(fuzz::as_text(data, size));
  fuzz::accepted([&] {
    const extract::Ranker ranker = extract::parse_ranker(text, "ranker.json");
    const std::string written = extract::to_json(ranker);
    FUZZ_CHECK(extract::to_json(extract::parse_ranker(written, "again")) == written);
    for (const float value : {0.f, -1e30f, 1e30f, std::numeric_limits<float>::quiet_NaN()}) {
      const std::vector<float> row(extract::kFeatureNames.size(), value);
      const float* const rows[] = {row.data(), row.data()};
      for (const double confidence : ranker.confidences(rows))
        FUZZ_CHECK(confidence >= 0 && confidence <= 1);
      FUZZ_CHECK(std::isfinite(ranker.wording.predict(row)));
    }
  });
  return 0;
}
