// What every function of the C interface does with exceptions, NULL and structs of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "diffie.h"

namespace diffie::capi {

// Keeps the message of the exception that is being handled; returns its status.
diffie_status report_exception() noexcept;

// Runs `work`; no exception comes out.
template <typename Work>
diffie_status guarded(Work work) noexcept {
  try {
    work();
    return DIFFIE_OK;
  } catch (...) {
    return report_exception();
  }
}

// No object is larger; -1, by which others ask to look for the end, would be.
inline constexpr std::size_t kMaxSize = PTRDIFF_MAX;

// Throw kInvalidArgument.
void require(const void* argument, const char* name);
void require_size(std::size_t size, const char* name);
void require_index(const char* name, std::size_t index, std::size_t count);
void require_struct_size(std::size_t size, std::size_t least);

// Fills the caller's struct as far as it reaches. `least` is the size of the struct's first
// version.
template <typename Struct>
void fill(Struct* out, Struct value, std::size_t least) {
  const std::size_t size = out->struct_size;
  require_struct_size(size, least);
  value.struct_size = size;
  std::memset(static_cast<void*>(out), 0, size);
  std::memcpy(static_cast<void*>(out), &value, size < sizeof value ? size : sizeof value);
}

}  // namespace diffie::capi
