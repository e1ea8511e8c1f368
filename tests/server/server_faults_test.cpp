// Memory: where it fails, and what is kept of it.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/toy_model.h"
#include "extract_request.h"
#include "faults/failing.h"
#include "http_error.h"
#include "served_models.h"
#include "temp_dir.h"

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

class ServedModelsTest : public testing::Test {
 protected:
  ServedModelsTest() { served_ = models_.find(""); }

  static std::string toy(const test::TempDir& temp) {
    const std::string place = (temp.path() / "toy").string();
    test::init_toy_model(place, "anchored");
    return place;
  }

  std::shared_ptr<const Extractor> extractor() {
    Asked asked;
    asked.settings = {{"threads", "1"}};
    return served_->extractor(served_->settings(asked));
  }

  // How often memory is asked for by a call.
  std::size_t asks() {
    constexpr std::size_t kNever = std::size_t{1} << 40;
    const auto extractor = this->extractor();
    const test::FailingAllocation count(kNever);
    extractor->extract("Ada Lovelace wrote the first program.");
    return count.calls();
  }

  void tidy(int times) {
    for (int i = 0; i < times; ++i) models_.tidy();
  }

  const test::TempDir temp_;
  const cli::SettingsOptions options_;
  const ServedModels models_{{toy(temp_)}, options_, [](const std::string&) {}};
  std::shared_ptr<ServedModel> served_;
};

TEST_F(ServedModelsTest, AnEngineThatNobodyHasKeepsNoMemory) {
  asks();
  const std::size_t warm = asks();
  tidy(4);
  EXPECT_EQ(asks(), warm);
  tidy(5);
  EXPECT_GT(asks(), warm);
  EXPECT_EQ(asks(), warm);
}

// However long its work takes: what it keeps goes back afterwards.
TEST_F(ServedModelsTest, AnEngineAtWorkIsNotIdle) {
  asks();
  const std::size_t warm = asks();
  std::stop_source stop;
  std::jthread work([&] {
    const std::vector<std::string_view> many(30'000, "Ada Lovelace wrote the first program.");
    EXPECT_THROW(extractor()->extract(many, stop.get_token()), Error);
  });
  std::this_thread::sleep_for(std::chrono::seconds(1));
  tidy(6);
  stop.request_stop();
  work.join();
  tidy(5);
  EXPECT_GT(asks(), warm);
}

TEST_F(ServedModelsTest, TidyingLetsNoExceptionOut) {
  for (std::size_t failures = 0; failures < 20; ++failures) {
    asks();
    tidy(4);
    const test::FailingAllocation fault(failures);
    EXPECT_NO_THROW(models_.tidy());
  }
}

}  // namespace
}  // namespace diffie::server
