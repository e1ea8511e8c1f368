// Memory that fails at every place where it is asked for: an exception, never the end of the
// process.
#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <string>

#include "extract_request.h"
#include "faults/failing.h"
#include "http_error.h"

namespace diffie::server {
namespace {

// The call with the k-th allocation failing, for all k that it has; `lasting`: and all later ones.
void fail_everywhere(bool lasting, const std::function<void()>& call) {
  std::size_t failures = 0;
  for (bool happened = true; happened; ++failures) {
    const test::FailingAllocation fault(failures, lasting);
    try {
      call();
    } catch (const std::bad_alloc&) {
    }
    happened = fault.happened();
  }
  EXPECT_GT(failures, 10u);
}

TEST(ServerFaults, AnyAllocationOfARequestMayFail) {
  for (const std::string body :
       {R"({"documents": [{"text": "a"}, {"text": "b", "id": "the second of two"}], "model": "m",
            "options": {"times": [3, 2, 1], "shared": [[1, 2], "no number"]}})",
        R"({"sentences": ["a", "b", ["c", ["d"]]]})", R"([[1, 2], {"a": [3]}])"}) {
    for (const bool lasting : {false, true}) {
      fail_everywhere(lasting, [&] {
        try {
          parse_extract_request(body);
        } catch (const HttpError&) {
        }
      });
    }
  }
}

}  // namespace
}  // namespace diffie::server
