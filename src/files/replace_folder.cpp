#include "files/replace_folder.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <cstdio>

#include "diffie/error.h"
#include "files/atomic_file.h"

namespace diffie::files {
namespace fs = std::filesystem;
namespace {

// False: the system or the file system cannot.
bool swap_names(const fs::path& a, const fs::path& b) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
  static_cast<void>(a);
  static_cast<void>(b);
  return false;
#endif
}

std::error_code rename_over(const fs::path& from, const fs::path& to) {
  std::error_code problem, ignored;
  const fs::path old = temporary_sibling(to);
  fs::rename(to, old, problem);
  if (problem) return problem;
  fs::rename(from, to, problem);
  if (problem) {
    fs::rename(old, to, ignored);
  } else {
    fs::remove_all(old, ignored);
  }
  return problem;
}

// Where the file system has no links: copies.
void share_file(const fs::path& file, const fs::path& to) {
  std::error_code problem;
  fs::create_hard_link(file, to, problem);
  if (problem) fs::copy(file, to, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

}  // namespace

void replace_folder(const fs::path& from, const fs::path& to) {
  std::error_code problem, ignored;
  if (!fs::exists(fs::symlink_status(to, ignored))) {
    fs::rename(from, to, problem);
  } else if (swap_names(from, to)) {
    fs::remove_all(from, ignored);
  } else {
    problem = rename_over(from, to);
  }
  if (problem) {
    throw Error(ErrorCode::kNotFound, fmt::format("{}: cannot be renamed into place: {}",
                                                  to.string(), problem.message()));
  }
}

void change_folder(const fs::path& folder,
                   const std::function<void(const fs::path& copy)>& change) {
  std::error_code ignored;
  fs::path copy;
  try {
    const fs::path place = fs::canonical(folder);  // a link to it stays one
    copy = temporary_sibling(place);
    fs::create_directory(copy, place);  // with its permissions
    for (const fs::directory_entry& entry : fs::directory_iterator(place))
      share_file(entry.path(), copy / entry.path().filename());
    change(copy);
    replace_folder(copy, place);
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(copy, ignored);
    throw Error(ErrorCode::kNotFound,
                fmt::format("{}: {}", folder.string(), error.code().message()));
  } catch (...) {
    fs::remove_all(copy, ignored);
    throw;
  }
}

}  // namespace diffie::files
