// Where the results of a run go.
#pragma once

#include <filesystem>
#include <memory>
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

std::unique_ptr<OutputTarget> standard_output();
// Throws kNotFound where something is there that is no empty folder.
void check_free(const std::string& path);

// Grows in the folder PATH.part until commit(); a pipe or a device is written to directly. Throw
// kNotFound where that cannot be written, kInvalidArgument where PATH.part is not ours (another run
// writes it, or no run has made it).
std::unique_ptr<OutputTarget> output_file(const std::string& path);
// A folder with a file for each name, in the place of what is there.
std::unique_ptr<OutputTarget> output_folder(const std::string& path);

}  // namespace diffie::cli
