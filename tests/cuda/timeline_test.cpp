// When the GPU has work, as a timeline shows it.
#include "base/timeline.h"

#include "diffie/model.h"
#include "engine/engine.h"
#include "need_gpu.h"

namespace diffie {
namespace {

using base::TimedRow;
using base::TimedSpan;

double seconds(TimedSpan::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

double sum_of(const TimedRow& row, std::string_view name) {
  double sum = 0;
  for (const TimedSpan& span : row.spans())
    if (span.name == name) sum += seconds(span.end - span.begin);
  return sum;
}

TEST(GpuTimeline, AStreamHasWorkWhileItsWorkerWaitsForIt) {
  NEED_GPU();
  const auto model = Model::load(DIFFIE_SOURCE_DIR "/models/small");
  Settings settings = model->settings("balanced");
  settings.device = Device::kCuda;
  settings.threads = 1;
  std::vector<std::string_view> many(600, "Ada Lovelace wrote the first published program.");
  base::Timeline timeline;
  const auto before = TimedSpan::Clock::now();
  {
    engine::Engine engine(engine::ModelParts::of(*model), settings, {}, &timeline);
    engine.extract(many);
    engine.extract(std::span(many).first(1));  // a call of few tokens
  }
  const auto after = TimedSpan::Clock::now();
  ASSERT_EQ(timeline.rows().size(), 4u);  // two workers, a stream each
  double on_gpu = 0;
  for (std::size_t i = 0; i < 4; i += 2) {
    const TimedRow& worker = timeline.rows()[i];
    const TimedRow& stream = timeline.rows()[i + 1];
    ASSERT_EQ(worker.kind(), base::RowKind::kWorker);
    ASSERT_EQ(stream.kind(), base::RowKind::kStream);
    constexpr double kClocks_s = 1e-3;  // what the two clocks may differ by
    for (const char* stage : {"encode", "denoise", "judge"}) {
      EXPECT_LE(sum_of(stream, stage), sum_of(worker, stage) + kClocks_s) << stage;
      on_gpu += sum_of(stream, stage);
    }
    TimedSpan::Clock::time_point last = before;
    for (const TimedSpan& span : stream.spans()) {
      EXPECT_GE(seconds(span.begin - last), -kClocks_s);
      EXPECT_GE(span.end, span.begin);
      last = span.end;
    }
    EXPECT_LE(seconds(last - after), kClocks_s);
  }
  EXPECT_GT(on_gpu, 1e-4);
}

}  // namespace
}  // namespace diffie
