// Where the results of a run go.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "diffie/output.h"

namespace diffie::cli {

class OutputTarget : public OutputFiles {
 public:
  virtual void flush() = 0;   // what was written is there for others to read
  virtual void commit() = 0;  // all is written; without it nothing stands in the target's place
};

// What is written and named PATH: what PATH leads to, without a slash at its end. Throws kNotFound
// where that cannot become a file, or a folder.
std::filesystem::path output_place(const std::string& path, bool is_folder);
std::filesystem::path beside(std::filesystem::path place, const char* ending);

// Throws kInvalidArgument where one of `inputs` is `made`, by whatever name, or lies in it: it
// would be gone before it is read again, or be read while it is written. `made` need not be there
// yet.
void check_inputs(const std::filesystem::path& made, std::span<const std::string> inputs);

// Throws kInvalidArgument where that is a file and one of `inputs`.
std::unique_ptr<OutputTarget> standard_output(std::span<const std::string> inputs);
// Throws kNotFound where something is there that is no empty folder.
void check_free(const std::string& path);

// Grows in the folder PATH.part until commit(); a pipe or a device is written to directly. Throw
// kNotFound where that cannot be written, kInvalidArgument where PATH.part is not ours (another run
// writes it, or no run has made it) and as check_inputs() does, for both.
std::unique_ptr<OutputTarget> output_file(const std::string& path,
                                          std::span<const std::string> inputs);
// A folder with a file for each name, in the place of what is there.
std::unique_ptr<OutputTarget> output_folder(const std::string& path,
                                            std::span<const std::string> inputs);

}  // namespace diffie::cli
