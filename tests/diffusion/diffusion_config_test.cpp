#include "diffusion/diffusion_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expect_error.h"

namespace diffie::diffusion {
namespace {

TEST(DiffusionConfig, NamesAreReadBack) {
  EXPECT_THAT(kernel_names(), testing::ElementsAre("uniform", "absorbing", "anchored"));
  for (const std::string_view name : kernel_names()) {
    EXPECT_EQ(name_of(kernel_from_name(name)), name);
  }
  EXPECT_EQ(kernel_from_name("absorbing"), KernelKind::kAbsorbing);
  EXPECT_THAT(schedule_names(),
              testing::ElementsAre("cosine", "linear", "log-linear", "mutual-information"));
  for (const std::string_view name : schedule_names()) {
    EXPECT_EQ(name_of(schedule_from_name(name)), name);
  }
  EXPECT_EQ(schedule_from_name("log-linear"), ScheduleKind::kLogLinear);
}

TEST(DiffusionConfig, OtherNamesAreRefused) {
  EXPECT_ERROR(kernel_from_name("Uniform"), ErrorCode::kInvalidArgument, "kernel 'Uniform'");
  EXPECT_ERROR(schedule_from_name(""), ErrorCode::kInvalidArgument, "wanted one of cosine, linear");
}

}  // namespace
}  // namespace diffie::diffusion
