#include "model/dealing_backend.h"

#include <gtest/gtest.h>

namespace diffie::model {
namespace {

// Of which only matters which backend it is of.
struct NamedRunner final : Runner {
  explicit NamedRunner(int name, bool judges) : of(name), judging(judges) {}
  std::unique_ptr<Context> make_context() const override { return nullptr; }
  void encode(std::span<const std::int32_t>, std::span<const std::uint32_t>, Context&) override {}
  void denoise(const Context&, const RowBatch&, std::span<const std::uint8_t>, std::int32_t,
               std::span<float>) override {}
  void judge(const Context&, const RowBatch&, std::span<const std::uint8_t>,
             std::span<Judgement>) override {}
  void release() override {}

  int of;
  bool judging;
};

struct NamedBackend final : Backend {
  NamedBackend(int number, bool does_wait) : name(number), waiting(does_wait) {}
  std::unique_ptr<Runner> make_runner(bool judges) const override {
    return std::make_unique<NamedRunner>(name, judges);
  }
  bool waits() const override { return waiting; }

  int name;
  bool waiting;
};

TEST(DealingBackend, DealsInTurn) {
  const NamedBackend a(1, true), b(2, true);
  const DealingBackend three({&a, &b, &a});
  std::vector<int> dealt;
  for (int i = 0; i < 7; ++i) {
    const auto runner = three.make_runner(i % 2 == 0);
    dealt.push_back(dynamic_cast<const NamedRunner&>(*runner).of);
    EXPECT_EQ(dynamic_cast<const NamedRunner&>(*runner).judging, i % 2 == 0);
  }
  EXPECT_EQ(dealt, (std::vector<int>{1, 2, 1, 1, 2, 1, 1}));
}

TEST(DealingBackend, WaitsAsItsBackendsDo) {
  const NamedBackend busy(1, false), waiting(2, true);
  EXPECT_FALSE(DealingBackend({&busy}).waits());
  EXPECT_TRUE(DealingBackend({&waiting, &waiting}).waits());
}

}  // namespace
}  // namespace diffie::model
