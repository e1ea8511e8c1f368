#include "train/metrics.h"

#include <gtest/gtest.h>

#include <fstream>

#include "expect_error.h"
#include "synthetic.h"
#include "temp_dir.h"

namespace diffie::train {
namespace {

MetricRow loss_row(std::int64_t step, double loss) {
  MetricRow row;
  row.step = step;
  row.loss = loss;
  row.rate = 2e-4;
  row.instances_per_second = 100;
  return row;
}

TEST(Metrics, RowsReadBack) {
  const test::TempDir dir;
  MetricLog log(dir.path(), std::nullopt);
  log.add(loss_row(50, 0.5));
  MetricRow dev;
  dev.step = 60;
  dev.epoch = 1;
  dev.dev = DevScore{0.6, 0.5, 0.55, 0.4};
  log.add(dev);
  const auto rows = parse_metrics(test::read_file(dir.path() / "metrics.csv"), "m");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].step, 50);
  EXPECT_EQ(rows[0].loss, 0.5);
  EXPECT_FALSE(rows[0].dev);
  EXPECT_FALSE(rows[1].loss);
  ASSERT_TRUE(rows[1].dev);
  EXPECT_EQ(rows[1].dev->f1, 0.55);
}

TEST(Metrics, ResumingDropsLaterRowsAndACutLine) {
  const test::TempDir dir;
  {
    MetricLog log(dir.path(), std::nullopt);
    log.add(loss_row(50, 0.5));
    log.add(loss_row(100, 0.4));
  }
  std::ofstream(dir.path() / "metrics.csv", std::ios::app) << "150,0.3";
  MetricLog resumed(dir.path(), 99);
  resumed.add(loss_row(100, 0.41));
  const auto rows = parse_metrics(test::read_file(dir.path() / "metrics.csv"), "m");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].loss, 0.41);
}

TEST(Metrics, RefusesWhatIsNoRow) {
  EXPECT_ERROR(parse_metrics("h\n1,2\n", "m"), ErrorCode::kBadInput, "m:2: 2 cells");
  EXPECT_ERROR(parse_metrics("h\n1,x,,,,,,,,\n", "m"), ErrorCode::kBadInput, "'x'");
}

TEST(Metrics, ClockText) {
  EXPECT_EQ(clock_text(59.6), "1:00");
  EXPECT_EQ(clock_text(3723), "1:02:03");
}

}  // namespace
}  // namespace diffie::train
