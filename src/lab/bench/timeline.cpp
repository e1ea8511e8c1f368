#include "diffie/lab/timeline.h"

#include <algorithm>
#include <deque>
#include <future>
#include <optional>

#include "base/divide_up.h"
#include "diffie/output.h"
#include "engine/engine.h"
#include "timeline_summary.h"
#include "timeline_trace.h"

namespace diffie {
namespace {

constexpr std::size_t kCallsAtOnce = 3;
// Of all sentences, the most that first calls take.
constexpr std::size_t kWarmUpShare = 4;

using Sentences = std::span<const std::string_view>;

struct Call {
  Sentences sentences;
  std::future<std::vector<SentenceResult>> results;
};

void write(const Call& call, const std::vector<SentenceResult>& results, base::TimedRow& row) {
  base::SpanClock clock(&row, "output");
  std::string out;
  for (std::size_t i = 0; i < results.size(); ++i)
    append_result(out, OutputFormat::kJsonl, call.sentences[i], results[i]);
  clock.stop();
}

void extract_all(engine::Engine& engine, Sentences sentences, base::TimedRow& writer) {
  std::deque<Call> calls;
  while (!sentences.empty() || !calls.empty()) {
    if (!sentences.empty() && calls.size() < kCallsAtOnce) {
      const Sentences some = sentences.first(std::min(engine.batch_size(), sentences.size()));
      sentences = sentences.subspan(some.size());
      calls.push_back(
          {some, std::async(std::launch::async, [&engine, some] { return engine.extract(some); })});
      continue;
    }
    write(calls.front(), calls.front().results.get(), writer);
    calls.pop_front();
  }
}

}  // namespace

Timeline record_timeline(const std::shared_ptr<const Model>& model, Sentences sentences,
                         const Settings& settings) {
  base::Timeline spans;
  std::optional<engine::Engine> engine(std::in_place, engine::ModelParts::of(*model), settings,
                                       engine::Probe{}, &spans);
  base::TimedRow& writer = spans.add_row(base::RowKind::kThread, "output");
  extract_all(*engine,
              sentences.first(std::min(kCallsAtOnce * engine->batch_size(),
                                       base::divide_up(sentences.size(), kWarmUpShare))),
              writer);
  const StageTimes before = engine->stage_times();
  TimelineWindow window{base::TimedSpan::Clock::now(), {}};
  extract_all(*engine, sentences, writer);
  window.end = base::TimedSpan::Clock::now();
  const StageTimes stages = engine->stage_times() - before;
  const auto threads = static_cast<std::size_t>(engine->settings().threads);
  engine.reset();  // with it the rows are complete
  Timeline timeline{summarize(spans, window, threads), stages, to_trace(spans, window)};
  timeline.summary.sentences = sentences.size();
  return timeline;
}

}  // namespace diffie
