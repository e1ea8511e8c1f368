// The options of a command that choose where its results go and as what.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "diffie/arrow.h"
#include "diffie/output.h"
#include "input.h"
#include "journal.h"
#include "output_target.h"

namespace CLI {
class App;
}

namespace diffie::cli {

class OutputArguments {
 public:
  void add_to(CLI::App& app);  // must outlive the app

  // Throws kInvalidArgument for an option that the format or the target has no use for.
  void check() const;
  // From here on no other run writes it. Throws kInvalidArgument where one of the inputs is what
  // the run makes, or lies in it.
  std::unique_ptr<OutputTarget> open_target(const InputOptions& input) const;
  // Of that target. Null where the run is not to be resumed. `describe` says what the results
  // depend on.
  std::unique_ptr<Journal> open_journal(const std::function<std::string()>& describe) const;
  std::unique_ptr<Writer> make_writer(const InputOptions& input, const TableOrigin& origin,
                                      OutputFiles& files) const;

 private:
  bool several_files() const;
  std::filesystem::path journal_path() const;
  std::vector<std::filesystem::path> places_written() const;
  void check_inputs(const std::vector<std::string>& inputs) const;
  bool to_file() const { return !path_.empty() && path_ != "-"; }

  std::string format_ = "text";
  std::string path_;  // empty, "-": standard output
  bool resume_ = false;
  std::string colour_ = "auto";
  WriterOptions options_;
};

}  // namespace diffie::cli
