#include "child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "diffie/error.h"
#include "locate.h"

namespace diffie::cli {
namespace {

[[noreturn]] void fail(const char* doing, int error) {
  throw Error(ErrorCode::kInternal, fmt::format("{}: {}", doing, std::strerror(error)));
}

// Both ends are closed in a child that is given neither by dup2.
struct Pipe {
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe", errno);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  int ends[2] = {-1, -1};  // to read, to write
};

pid_t start(const std::vector<std::string>& arguments, const Pipe& in, const Pipe& out) {
  std::string program = sibling_program("diffie").string();
  std::vector<char*> argv = {program.data()};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.ends[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("cannot start diffie", error);
  return pid;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

ChildOutput run_diffie(const std::vector<std::string>& arguments, std::string_view input) {
  Pipe in;
  Pipe out;
  // Into the pipe's buffer, which holds 64 KB, before anybody could close the other end.
  if (!input.empty() && ::write(in.ends[1], input.data(), input.size()) < 0) fail("pipe", errno);
  const auto begin = std::chrono::steady_clock::now();
  const pid_t pid = start(arguments, in, out);
  in.close_end(0);
  in.close_end(1);
  out.close_end(1);
  ChildOutput result;
  char block[4096];
  while (true) {
    const ssize_t got = ::read(out.ends[0], block, sizeof(block));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (result.out.empty()) {
      const auto now = std::chrono::steady_clock::now();
      result.first_byte_s = std::chrono::duration<double>(now - begin).count();
    }
    result.out.append(block, static_cast<std::size_t>(got));
  }
  const int code = wait_for(pid);
  if (code != 0) {
    throw Error(
        ErrorCode::kBadInput,
        fmt::format("'diffie {}' for the measurement ended with code {}", arguments.at(0), code));
  }
  return result;
}

}  // namespace diffie::cli
