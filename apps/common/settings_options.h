// The options of a command that choose settings, made from the library's table of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diffie/model.h"
#include "diffie/settings.h"

namespace CLI {
class App;
}

namespace diffie::cli {

class SettingsOptions {
 public:
  // Adds --preset and an option for every setting: --top-k for top_k, and for those that are true
  // or false --stratified and --no-stratified. Must outlive the app.
  void add_to(CLI::App& app);

  const std::string& preset_of(const Model& model) const {
    return preset_.empty() ? model.default_preset() : preset_;
  }

  // The preset's values with what was given on the command line put over them. Another preset than
  // the command line's may be named.
  Settings resolve(const Model& model, const std::string& preset = "") const;

 private:
  std::string preset_;
  std::vector<std::pair<std::string, std::string>> given_;  // name, text; in their order
};

}  // namespace diffie::cli
