#include "accept.h"

#include <gtest/gtest.h>

namespace diffie::server {
namespace {

TEST(Accept, LinesForWhoLikesThemAsWell) {
  for (const char* accept :
       {"application/x-ndjson", "APPLICATION/X-NDJSON", "application/x-ndjson; charset=utf-8",
        "application/x-ndjson, application/json", "application/json, application/x-ndjson",
        "application/x-ndjson;q=0.001", "application/x-ndjson ; Q=0.5, application/json;q=0.4",
        "text/html, */*;q=0.1, application/x-ndjson", "application/x-ndjson, */*",
        "application/*, application/json;q=0.9", "*/*;q=0.5, application/json;q=0",
        "text/plain;a=\"b, c\\\"\", application/x-ndjson"})
    EXPECT_TRUE(prefers_lines(accept)) << accept;
}

TEST(Accept, AnObjectForAllOthers) {
  for (const char* accept : {"",
                             "*/*",
                             "application/json",
                             "application/*",
                             "text/html",
                             "application/x-ndjson;q=0",
                             "application/x-ndjson;q=0.0, text/html",
                             "application/json, application/x-ndjson;q=0.1",
                             "application/x-ndjson-seq",
                             "x-application/x-ndjson",
                             "application/x-ndjson;q=0, */*",
                             "*/*, application/x-ndjson;q=0.9",
                             "text/html;a=\"application/x-ndjson\"",
                             "text/html;a=\", application/x-ndjson\"",
                             "application/x-ndjson;q=2",
                             "application/x-ndjson;q=",
                             "application/x-ndjson;q=nan",
                             ",",
                             ";",
                             ";q=1",
                             "\"",
                             "\"\\",
                             "application/x-ndjson;q=-0.1"})
    EXPECT_FALSE(prefers_lines(accept)) << accept;
}

}  // namespace
}  // namespace diffie::server
