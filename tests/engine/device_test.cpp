// Asking for devices that are not there.
#include "engine/device.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diffie/extractor.h"
#include "engine/model_parts.h"
#include "engine/toy_model.h"
#include "expect_error.h"
#include "temp_dir.h"

namespace diffie::engine {
namespace {

class DeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    test::init_toy_model(temp_.path() / "toy", "anchored");
    model_ = Model::load(temp_.path() / "toy");
  }

  Placement placed(Device device, std::vector<std::int32_t> devices = {}) const {
    Settings settings;
    settings.device = device;
    settings.devices = std::move(devices);
    return place(ModelParts::of(*model_), settings);
  }

  test::TempDir temp_;
  std::shared_ptr<const Model> model_;
};

TEST_F(DeviceTest, TheCpuIsAlwaysThere) {
  const Placement placement = placed(Device::kCpu);
  EXPECT_EQ(placement.settings.device, Device::kCpu);
  EXPECT_EQ(placement.backend, &ModelParts::of(*model_).backend(Precision::kInt8));
  EXPECT_EQ(placement.notice, "");
  EXPECT_EQ(device_problem(Device::kCpu), "");
}

TEST_F(DeviceTest, AutoTakesTheCpuWhereThereIsNoOther) {
  const std::string problem = device_problem(Device::kCuda);
  if (problem.empty()) GTEST_SKIP() << "there is a GPU";
  for (const std::vector<std::int32_t>& devices : {std::vector<std::int32_t>{}, {0, 5}}) {
    const Placement placement = placed(Device::kAuto, devices);
    EXPECT_EQ(placement.settings.device, Device::kCpu);
    EXPECT_TRUE(placement.settings.devices.empty());
    EXPECT_NO_THROW(placement.settings.validate());
    EXPECT_EQ(placement.backend, &ModelParts::of(*model_).backend(Precision::kInt8));
    EXPECT_EQ(placement.notice, "on the CPU: " + problem);
  }
  EXPECT_EQ(problem.find('\n'), std::string::npos);
  EXPECT_ERROR(placed(Device::kCuda), ErrorCode::kUnsupported, "device is cuda: " + problem);
  EXPECT_ERROR(placed(Device::kCuda, {1}), ErrorCode::kUnsupported, "device is cuda: " + problem);
}

TEST_F(DeviceTest, NarrowFloatsAreTheGpus) {
  for (const auto& [precision, name] :
       {std::pair(Precision::kFp8, "fp8"), {Precision::kFp16, "fp16"}}) {
    Settings settings;
    settings.precision = precision;
    const std::string refusal = fmt::format("precision is {}, which needs device cuda", name);
    EXPECT_ERROR(place(ModelParts::of(*model_), settings), ErrorCode::kInvalidArgument, refusal);
    const std::string problem = device_problem(Device::kCuda);
    if (problem.empty()) continue;  // there is a GPU
    settings.device = Device::kAuto;
    EXPECT_ERROR(place(ModelParts::of(*model_), settings), ErrorCode::kInvalidArgument,
                 refusal + "; on the CPU: " + problem);
  }
}

TEST_F(DeviceTest, AnExtractorSaysOnceThatItIsOnTheCpu) {
  const std::string problem = device_problem(Device::kCuda);
  if (problem.empty()) GTEST_SKIP() << "there is a GPU";
  Settings settings;
  settings.threads = 1;
  EXPECT_THAT(Extractor(model_, settings).take_notices(), testing::IsEmpty());
  settings.device = Device::kAuto;
  settings.devices = {0, 0};
  const Extractor extractor(model_, settings);
  EXPECT_EQ(extractor.settings().device, Device::kCpu);
  EXPECT_THAT(extractor.take_notices(), testing::ElementsAre("on the CPU: " + problem));
  extractor.extract("Ada wrote it.");
  EXPECT_THAT(extractor.take_notices(), testing::IsEmpty());
  settings.device = Device::kCpu;
  EXPECT_ERROR(Extractor(model_, settings), ErrorCode::kInvalidArgument, "devices is 0,0");
}

}  // namespace
}  // namespace diffie::engine
