// Preloaded into a program, makes one call of its fail. Only files below DIFFIE_FAULT_UNDER count.
//   DIFFIE_FAULT=CALL:K:HOW   the K-th call (from 0) of open, read, write, fsync, close, rename, unlink, truncate,
//                             mkdir or flock; HOW: the number of an error, "short" (half of the bytes), "kill" (SIGKILL
//                             instead of the call), "tear" (half of the bytes, then SIGKILL).
//   DIFFIE_FAULT=malloc:K:0   the K-th allocation of C after the first such file was opened gives nothing.
//   DIFFIE_FAULT_HAPPENED     a file that is made when it has come to that.
#undef _FORTIFY_SOURCE  // some compilers define it: its read and open are inline, ours take their place
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum How { kNothing, kError, kShort, kKill, kTear };

static char wanted_call[16];
static char under[PATH_MAX];
static char happened[PATH_MAX];
static enum How how;
static int error_number;
static atomic_long calls_left = -1;
static atomic_bool is_open;  // a file below `under` has been opened

__attribute__((constructor)) static void read_environment(void) {
  const char* const fault = getenv("DIFFIE_FAULT");
  const char* const folder = getenv("DIFFIE_FAULT_UNDER");
  const char* const mark = getenv("DIFFIE_FAULT_HAPPENED");
  char what[16] = "";
  long k = 0;
  if (fault == NULL || folder == NULL || mark == NULL) return;
  if (sscanf(fault, "%15[a-z]:%ld:%15s", wanted_call, &k, what) != 3) return;
  snprintf(under, sizeof under, "%s/", folder);
  snprintf(happened, sizeof happened, "%s", mark);
  error_number = atoi(what);
  how = strcmp(what, "short") == 0  ? kShort
        : strcmp(what, "kill") == 0 ? kKill
        : strcmp(what, "tear") == 0 ? kTear
                                    : kError;
  atomic_store(&calls_left, k);
}

static int is_watched_path(const char* path) {
  char full[PATH_MAX];
  if (path == NULL || under[0] == '\0') return 0;
  if (path[0] == '/') return strncmp(path, under, strlen(under)) == 0;
  if (syscall(SYS_getcwd, full, sizeof full) < 0) return 0;
  const size_t length = strlen(under) - 1;
  return strncmp(full, under, length) == 0 && (full[length] == '/' || full[length] == '\0');
}

static int is_watched(int descriptor) {
  char link[64], path[PATH_MAX];
  if (under[0] == '\0') return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const long size = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (size <= 0) return 0;
  path[size] = '\0';
  return is_watched_path(path);
}

// What is to happen to this call, of which `counts` says whether it is one of those that are meant.
static enum How fate(const char* call, int counts) {
  if (how == kNothing || !counts || strcmp(call, wanted_call) != 0) return kNothing;
  if (atomic_fetch_sub(&calls_left, 1) != 0) return kNothing;
  syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, happened, O_CREAT | O_WRONLY, 0666));
  if (how == kKill) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  return how;
}

static size_t half(size_t size) { return size > 1 ? size / 2 : size; }

static long refused(void) {
  errno = error_number;
  return -1;
}

static int open_at(int folder, const char* path, int flags, mode_t mode) {
  const int watched = is_watched_path(path);
  if (fate("open", watched && (flags & O_DIRECTORY) == 0) == kError) return (int)refused();
  if (watched) atomic_store(&is_open, 1);
  return (int)(syscall(SYS_openat, folder, path, flags, mode));
}

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

#define OPENS(name)                                      \
  int name(const char* path, int flags, ...) {           \
    va_list arguments;                                   \
    va_start(arguments, flags);                          \
    const mode_t mode = mode_of(flags, arguments);       \
    va_end(arguments);                                   \
    return open_at(AT_FDCWD, path, flags, mode);         \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                   \
  int name(int folder, const char* path, int flags, ...) { \
    va_list arguments;                                   \
    va_start(arguments, flags);                          \
    const mode_t mode = mode_of(flags, arguments);       \
    va_end(arguments);                                   \
    return open_at(folder, path, flags, mode);           \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

// C++'s streams open by it.
#define FOPENS(name)                                                               \
  FILE* name(const char* path, const char* mode) {                                 \
    FILE* (*const real)(const char*, const char*) =                                \
        (FILE * (*)(const char*, const char*)) dlsym(RTLD_NEXT, #name);            \
    if (fate("open", is_watched_path(path)) != kError) return real(path, mode);    \
    errno = error_number;                                                          \
    return NULL;                                                                   \
  }
FOPENS(fopen)
FOPENS(fopen64)

ssize_t read(int descriptor, void* to, size_t size) {
  const enum How fault = fate("read", is_watched(descriptor));
  if (fault == kError) return refused();
  return (syscall(SYS_read, descriptor, to, fault == kShort ? half(size) : size));
}

#define PREADS(name)                                                                          \
  ssize_t name(int descriptor, void* to, size_t size, off_t offset) {                         \
    const enum How fault = fate("read", is_watched(descriptor));                              \
    if (fault == kError) return refused();                                                    \
    return (                                                                            \
        syscall(SYS_pread64, descriptor, to, fault == kShort ? half(size) : size, offset));   \
  }
PREADS(pread)
PREADS(pread64)

static ssize_t write_some(int descriptor, const void* from, size_t size) {
  const enum How fault = fate("write", is_watched(descriptor));
  if (fault == kError) return refused();
  if (fault == kShort) return (syscall(SYS_write, descriptor, from, half(size)));
  if (fault == kTear) {
    syscall(SYS_write, descriptor, from, half(size));
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  }
  return (syscall(SYS_write, descriptor, from, size));
}
ssize_t write(int descriptor, const void* from, size_t size) {
  return write_some(descriptor, from, size);
}
ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  const enum How fault = fate("write", is_watched(descriptor));
  if (fault == kError) return refused();
  return (syscall(SYS_writev, descriptor, parts, fault == kShort ? 1 : count));
}

int fsync(int descriptor) {
  if (fate("fsync", is_watched(descriptor)) == kError) return (int)refused();
  return (int)(syscall(SYS_fsync, descriptor));
}
int fdatasync(int descriptor) {
  if (fate("fsync", is_watched(descriptor)) == kError) return (int)refused();
  return (int)(syscall(SYS_fdatasync, descriptor));
}
int close(int descriptor) {
  const enum How fault = fate("close", is_watched(descriptor));
  const long done = syscall(SYS_close, descriptor);  // closed, whatever it says
  return fault == kError ? (int)refused() : (int)(done);
}
int rename(const char* from, const char* to) {
  if (fate("rename", is_watched_path(to)) == kError) return (int)refused();
  return (int)(syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (fate("rename", is_watched_path(to)) == kError) return (int)refused();
  return (int)(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}
int unlink(const char* path) {
  if (fate("unlink", is_watched_path(path)) == kError) return (int)refused();
  return (int)(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
int unlinkat(int folder, const char* path, int flags) {
  if (fate("unlink", folder == AT_FDCWD ? is_watched_path(path) : is_watched(folder)) == kError)
    return (int)refused();
  return (int)(syscall(SYS_unlinkat, folder, path, flags));
}
#define TRUNCATES(name)                                                             \
  int name(int descriptor, off_t size) {                                            \
    if (fate("truncate", is_watched(descriptor)) == kError) return (int)refused();  \
    return (int)(syscall(SYS_ftruncate, descriptor, size));                   \
  }
TRUNCATES(ftruncate)
TRUNCATES(ftruncate64)
int mkdir(const char* path, mode_t mode) {
  if (fate("mkdir", is_watched_path(path)) == kError) return (int)refused();
  return (int)(syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
int flock(int descriptor, int operation) {
  if (fate("flock", is_watched(descriptor)) == kError) return (int)refused();
  return (int)(syscall(SYS_flock, descriptor, operation));
}

#ifdef DIFFIE_FAIL_MALLOC
// glibc's own, by the names under which it keeps them.
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);

static int no_memory(void) {
  if (fate("malloc", atomic_load(&is_open)) == kNothing) return 0;
  errno = ENOMEM;
  return 1;
}
void* malloc(size_t size) { return no_memory() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return no_memory() ? NULL : __libc_calloc(count, size); }
void* realloc(void* memory, size_t size) {
  return no_memory() ? NULL : __libc_realloc(memory, size);
}
#endif
