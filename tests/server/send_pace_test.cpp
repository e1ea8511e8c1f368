#include "send_pace.h"

#include <gtest/gtest.h>

namespace diffie::server {
namespace {

using std::chrono::milliseconds;

TEST(SendPace, WaitsForWhoTakesAKilobyteASecond) {
  SendPace pace(milliseconds(3000));
  for (int second = 0; second < 1000; ++second) {
    pace.took(milliseconds(1000), 1000);
    ASSERT_FALSE(pace.too_slow());
  }
}

TEST(SendPace, DoesNotWaitForWhoTakesAByteNowAndThen) {
  SendPace pace(milliseconds(3000));
  for (int take = 0; take < 3; ++take) pace.took(milliseconds(1000), 1);
  EXPECT_FALSE(pace.too_slow());
  pace.took(milliseconds(1000), 1);
  EXPECT_TRUE(pace.too_slow());
}

TEST(SendPace, WhatWasTakenFastIsToItsCredit) {
  SendPace pace(milliseconds(0));
  pace.took(milliseconds(1), 5000);
  pace.took(milliseconds(4998), 1);
  EXPECT_FALSE(pace.too_slow());
  pace.took(milliseconds(10), 0);
  EXPECT_TRUE(pace.too_slow());
}

}  // namespace
}  // namespace diffie::server
