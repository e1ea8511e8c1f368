// Settings by name, any value; and the options of a command line.
#include <CLI/CLI.hpp>

#include "diffie/settings.h"
#include "fuzz.h"
#include "settings_options.h"

namespace {

using namespace diffie;

void parse_command_line(fuzz::Choices choices) {
  CLI::App app;
  cli::SettingsOptions options;
  options.add_to(app);
  std::vector<std::string> arguments;
  const std::vector<SettingInfo> infos = setting_infos();
  while (choices.any() && arguments.size() < 8) {
    std::string name = infos[choices.below(infos.size())].name;
    std::replace(name.begin(), name.end(), '_', '-');
    if (choices.byte() % 8 != 0) arguments.push_back("--" + name);
    arguments.emplace_back(choices.text(12));
  }
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError&) {
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<SettingInfo> infos = setting_infos();
  fuzz::Choices choices(fuzz::as_text(data, size));
  const std::size_t index = choices.below(infos.size() + 2);
  if (index == infos.size()) {
    parse_command_line(choices);
    return 0;
  }
  const std::string name = index < infos.size() ? infos[index].name : std::string(choices.text(9));
  Settings settings;
  const Settings before = settings;
  if (!fuzz::accepted([&] { set_setting(settings, name, choices.rest()); })) {
    FUZZ_CHECK(settings == before);
    return 0;
  }
  const std::string written = get_setting(settings, name);
  Settings again;
  set_setting(again, name, written);
  FUZZ_CHECK(again == settings && get_setting(again, name) == written);
  return 0;
}
