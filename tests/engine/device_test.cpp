// Asking for a device that is not there.
#include "engine/device.h"

#include <gtest/gtest.h>

#include "diffie/extractor.h"
#include "expect_error.h"

namespace diffie::engine {
namespace {

TEST(Device, TheCpuIsAlwaysThere) {
  EXPECT_EQ(resolve(Device::kCpu), Device::kCpu);
  EXPECT_EQ(device_problem(Device::kCpu), "");
}

TEST(Device, AutoTakesTheCpuWhereThereIsNoOther) {
  const std::string problem = device_problem(Device::kCuda);
  if (problem.empty()) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(resolve(Device::kAuto), Device::kCpu);
  EXPECT_EQ(problem.find('\n'), std::string::npos);
  EXPECT_ERROR(resolve(Device::kCuda), ErrorCode::kUnsupported, "device is cuda: " + problem);
}

}  // namespace
}  // namespace diffie::engine
