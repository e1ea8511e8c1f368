// Settings by name, any value; and the options of a command line.
#include <CLI/CLI.hpp>

#include "diffie/settings.h"
#include "fuzz.h"
#include "settings_options.h"

namespace {

using namespace diffie;

// Made anew now and then: it takes longer than a hundred command lines.
CLI::App& command() {
  struct Command {
    Command() { options.add_to(app); }
    cli::SettingsOptions options;
    CLI::App app;
  };
  static std::unique_ptr<Command> current;
  static int uses = 0;
  if (uses++ % 256 == 0) current = std::make_unique<Command>();
  return current->app;
}

void parse_command_line(fuzz::Choices choices) {
  std::vector<std::string> arguments;
  static const std::vector<SettingInfo> infos = setting_infos();
  while (choices.any() && arguments.size() < 8) {
    std::string name = infos[choices.below(infos.size())].name;
    std::replace(name.begin(), name.end(), '_', '-');
    if (choices.byte() % 8 != 0) arguments.push_back("--" + name);
    arguments.emplace_back(choices.text(12));
  }
  try {
    command().parse(arguments);
  } catch (const CLI::ParseError&) {
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<SettingInfo> infos = setting_infos();
  fuzz::Choices choices(fuzz::as_text(data, size));
  if (choices.byte() % 4 == 0) {
    parse_command_line(choices);
    return 0;
  }
  const std::size_t index = choices.below(infos.size() + 1);
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
