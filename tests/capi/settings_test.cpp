#include "diffie/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capi/capi_fixture.h"

namespace diffie::test {
namespace {

using ::testing::HasSubstr;

std::string get(diffie_settings* settings, const char* name) {
  const char* value = nullptr;
  EXPECT_EQ(diffie_settings_get(settings, name, &value), DIFFIE_OK) << diffie_last_error();
  return value == nullptr ? "" : value;
}

TEST_F(CapiTest, EverySettingIsDescribedAndReadsAsItIsWritten) {
  const SettingsHandle settings = small_settings();
  const std::vector<SettingInfo> wanted = setting_infos();
  ASSERT_EQ(diffie_setting_count(), wanted.size());
  for (std::size_t index = 0; index < wanted.size(); ++index) {
    diffie_setting_info info = {sizeof info, nullptr, nullptr, nullptr};
    ASSERT_EQ(diffie_setting_describe(index, &info), DIFFIE_OK);
    EXPECT_EQ(info.name, wanted[index].name);
    EXPECT_EQ(info.allowed, wanted[index].allowed);
    EXPECT_EQ(info.help, wanted[index].help);
    const std::string value = get(settings.get(), info.name);
    EXPECT_EQ(diffie_settings_set(settings.get(), info.name, value.c_str()), DIFFIE_OK)
        << diffie_last_error();
    EXPECT_EQ(get(settings.get(), info.name), value);
  }
  diffie_setting_info info = {sizeof info, nullptr, nullptr, nullptr};
  EXPECT_EQ(diffie_setting_describe(wanted.size(), &info), DIFFIE_INVALID_ARGUMENT);
}

TEST_F(CapiTest, WhatIsRefusedLeavesTheSettingsAlone) {
  const SettingsHandle settings = small_settings();
  ASSERT_EQ(diffie_settings_set(settings.get(), "top_k", "3"), DIFFIE_OK);
  for (const char* value : {"0", "1025", "three", "", "3 ", "99999999999999"}) {
    EXPECT_EQ(diffie_settings_set(settings.get(), "top_k", value), DIFFIE_INVALID_ARGUMENT)
        << value;
    EXPECT_THAT(diffie_last_error(), HasSubstr("top_k"));
    EXPECT_EQ(get(settings.get(), "top_k"), "3");
  }
}

TEST_F(CapiTest, UnknownNamesAreRefused) {
  const SettingsHandle settings = small_settings();
  const char* value = "";
  EXPECT_EQ(diffie_settings_set(settings.get(), "smaples", "3"), DIFFIE_INVALID_ARGUMENT);
  EXPECT_THAT(diffie_last_error(), HasSubstr("smaples"));
  EXPECT_EQ(diffie_settings_get(settings.get(), "", &value), DIFFIE_INVALID_ARGUMENT);
  EXPECT_EQ(value, nullptr);
  diffie_settings* made = nullptr;
  EXPECT_EQ(diffie_settings_new(model(), "no-such-preset", &made), DIFFIE_INVALID_ARGUMENT);
  EXPECT_THAT(diffie_last_error(), HasSubstr("no-such-preset"));
  EXPECT_EQ(made, nullptr);
}

// What an extractor was made with stays, whatever happens to the settings.
TEST_F(CapiTest, SettingsAreCopiedAndObeyed) {
  const SettingsHandle settings = small_settings();
  ASSERT_EQ(diffie_settings_set(settings.get(), "top_k", "1"), DIFFIE_OK);
  diffie_extractor* raw_extractor = nullptr;
  ASSERT_EQ(diffie_extractor_new(model(), settings.get(), &raw_extractor), DIFFIE_OK);
  const ExtractorHandle extractor(raw_extractor);
  ASSERT_EQ(diffie_settings_set(settings.get(), "top_k", "9"), DIFFIE_OK);

  const std::string text = "He served as the first Prime Minister of Australia.";
  const auto count = [&](const diffie_extractor* with) {
    diffie_result* raw = nullptr;
    EXPECT_EQ(diffie_extract(with, text.data(), text.size(), &raw), DIFFIE_OK);
    const ResultHandle result(raw);
    diffie_sentence sentence = {sizeof sentence, 0, nullptr, 0};
    EXPECT_EQ(diffie_result_sentence(result.get(), 0, &sentence), DIFFIE_OK);
    return sentence.extraction_count;
  };
  EXPECT_EQ(count(extractor.get()), 1u);
  EXPECT_GT(count(small_extractor().get()), 1u);
}

}  // namespace
}  // namespace diffie::test
