#include "metrics.h"

#include <gmock/gmock.h>

namespace diffie::server {
namespace {

using ::testing::HasSubstr;

TEST(Histogram, CountsWhatIsAtOrBelowItsBounds) {
  Histogram histogram({1, 2.5});
  for (const double value : {0.5, 1.0, 1.5, 2.5, 3.0}) histogram.observe(value);
  std::string text;
  histogram.append(text, "x", "");
  EXPECT_EQ(
      text,
      "diffie_x_bucket{le=\"1\"} 2\ndiffie_x_bucket{le=\"2.5\"} 4\ndiffie_x_bucket{le=\"+Inf\"} 5\n"
      "diffie_x_sum 8.5\ndiffie_x_count 5\n");
  text.clear();
  histogram.append(text, "x", "route=\"a\",");
  EXPECT_THAT(text, HasSubstr("diffie_x_bucket{route=\"a\",le=\"1\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("diffie_x_count{route=\"a\"} 5\n"));
}

TEST(Metrics, AreWhatHappened) {
  Metrics metrics;
  metrics.request_done("extract", 200, 0.5);
  metrics.request_done("extract", 200, 0.5);
  metrics.request_done("extract", 429, 0.001);
  metrics.sentence_done({});
  metrics.batch_done(4, 2.0);
  metrics.asked(12);
  metrics.waited(0.25);
  metrics.connection_opened();
  metrics.cancelled();
  const std::string text = metrics.text(7, 3, true);
  for (const char* line :
       {"diffie_requests_total{route=\"extract\",status=\"200\"} 2\n",
        "diffie_requests_total{route=\"extract\",status=\"429\"} 1\n",
        "diffie_request_seconds_count{route=\"extract\"} 3\n", "diffie_sentences_total 1\n",
        "diffie_batch_sentences_sum 4\n", "diffie_request_sentences_sum 12\n",
        "diffie_queue_seconds_count 1\n", "diffie_connections 1\n",
        "diffie_requests_cancelled_total 1\n", "diffie_queue_sentences 7\n",
        "diffie_requests_active 3\n", "diffie_ready 1\n"})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_DOUBLE_EQ(metrics.sentences_per_second(), 2.0);
}

}  // namespace
}  // namespace diffie::server
