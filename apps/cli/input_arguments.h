// The options of a command that choose its documents.
#pragma once

#include <string>
#include <vector>

#include "input.h"

namespace CLI {
class App;
}

namespace diffie::cli {

class InputArguments {
 public:
  void add_to(CLI::App& app);  // must outlive the app

  // Folders and patterns become files. Throws kInvalidArgument for an impossible shard.
  InputOptions resolve(InputMode mode, Diagnostics& diagnostics) const;
  bool lines() const { return lines_; }

 private:
  std::vector<std::string> files_;
  std::string format_ = "auto";
  std::string shard_;
  RowFields fields_;
  bool lines_ = false;
};

}  // namespace diffie::cli
