#pragma once

#include <sys/file.h>

#include "files/uninterrupted.h"

namespace diffie::files {

// False where another process has the file locked. Closing it unlocks it; a file system without
// locks locks nothing.
inline bool lock_file(int descriptor) {
  return uninterrupted([&] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }) == 0 ||
         errno != EWOULDBLOCK;
}

}  // namespace diffie::files
