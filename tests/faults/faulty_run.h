// `diffie` with one call of its made to fail.
#pragma once

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "temp_dir.h"

namespace diffie::test {

struct Fault {
  std::string
      call;  // open, read, write, fsync, close, rename, unlink, truncate, mkdir, flock, malloc
  std::string how;  // the number of an error, "short", "kill", "tear"
};

// Of calls that are many and alike every so many-th is tried; all of them where DIFFIE_FAULT_STRIDE
// says 1, as `make faults` does.
inline std::size_t stride(std::size_t usual) {
  const char* const asked = std::getenv("DIFFIE_FAULT_STRIDE");
  return asked != nullptr ? std::strtoul(asked, nullptr, 10) : usual;
}

inline std::size_t stride_of(const Fault& fault) { return fault.call == "read" ? stride(9) : 1; }

struct FaultyRun {
  int exit_code = -1;     // 137: killed, as a shell says it
  bool happened = false;  // whether the call was made at all
  std::string out;
  std::string err;
};

// A shell's `diffie ARGUMENTS` in `folder`, whose files count; the k-th call fails, none where
// `fault` is null.
inline FaultyRun run_with_fault(const std::filesystem::path& folder, const std::string& arguments,
                                const Fault* fault = nullptr, std::size_t k = 0) {
  const TempDir logs;
  const std::string mark = logs / "happened";
  const char* const library =
      fault != nullptr && fault->call == "malloc" ? DIFFIE_MALLOC_FAULTS : DIFFIE_IO_FAULTS;
  const std::string preload =
      fault == nullptr
          ? ""
          : fmt::format(
                "ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD='{}' "
                "DIFFIE_FAULT={}:{}:{} DIFFIE_FAULT_UNDER='{}' DIFFIE_FAULT_HAPPENED='{}' ",
                library, fault->call, k, fault->how, folder.string(), mark);
  // A redirection in `arguments` comes after these and wins.
  const std::string command = fmt::format(
      "cd '{}' && </dev/null >'{}' 2>'{}' {}'{}' {}", folder.string(), (logs / "out").string(),
      (logs / "err").string(), preload, DIFFIE_BINARY, arguments);
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, std::filesystem::exists(mark),
          read_file(logs / "out"), read_file(logs / "err")};
}

}  // namespace diffie::test
