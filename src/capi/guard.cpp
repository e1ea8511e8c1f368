#include "capi/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <system_error>

#include "diffie/error.h"

namespace diffie::capi {
namespace {

// Of fixed size: what is said about lack of memory needs none.
thread_local char last_error[1024] = "";

diffie_status keep(diffie_status status, std::string_view message) noexcept {
  std::size_t size = std::min(message.size(), sizeof last_error - 1);
  // A cut must not leave half a character.
  const auto continues = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
  };
  while (size > 0 && size < message.size() && continues(message[size])) --size;
  std::copy_n(message.data(), size, last_error);
  last_error[size] = '\0';
  return status;
}

// A larger size is one that was never set.
constexpr std::size_t kMaxStructSize = 4096;

}  // namespace

diffie_status report_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return keep(static_cast<diffie_status>(error.code()) + 1, error.what());
  } catch (const std::bad_alloc&) {
    return keep(DIFFIE_EXHAUSTED, "out of memory");
  } catch (const std::system_error& error) {  // threads that the system refuses
    return keep(DIFFIE_EXHAUSTED, error.what());
  } catch (const std::exception& error) {
    return keep(DIFFIE_INTERNAL, error.what());
  } catch (...) {
    return keep(DIFFIE_INTERNAL, "unknown exception");
  }
}

void require(const void* argument, const char* name) {
  if (argument == nullptr) {
    throw Error(ErrorCode::kInvalidArgument, fmt::format("{} is NULL", name));
  }
}

void require_size(std::size_t size, const char* name) {
  if (size > kMaxSize) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} is {}, must be at most {}", name, size, kMaxSize));
  }
}

void require_index(const char* name, std::size_t index, std::size_t count) {
  if (index >= count) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} is {}, must be below {}", name, index, count));
  }
}

void require_struct_size(std::size_t size, std::size_t least) {
  if (size < least || size > kMaxStructSize) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("struct_size is {}, must be the struct's, at least {} and at most {}",
                            size, least, kMaxStructSize));
  }
}

}  // namespace diffie::capi

static_assert(static_cast<int>(diffie::ErrorCode::kInvalidArgument) + 1 == DIFFIE_INVALID_ARGUMENT);
static_assert(static_cast<int>(diffie::ErrorCode::kNotFound) + 1 == DIFFIE_NOT_FOUND);
static_assert(static_cast<int>(diffie::ErrorCode::kCorruptModel) + 1 == DIFFIE_CORRUPT_MODEL);
static_assert(static_cast<int>(diffie::ErrorCode::kBadInput) + 1 == DIFFIE_BAD_INPUT);
static_assert(static_cast<int>(diffie::ErrorCode::kUnsupported) + 1 == DIFFIE_UNSUPPORTED);
static_assert(static_cast<int>(diffie::ErrorCode::kExhausted) + 1 == DIFFIE_EXHAUSTED);
static_assert(static_cast<int>(diffie::ErrorCode::kCancelled) + 1 == DIFFIE_CANCELLED);
static_assert(static_cast<int>(diffie::ErrorCode::kInternal) + 1 == DIFFIE_INTERNAL);

const char* diffie_last_error(void) { return diffie::capi::last_error; }

const char* diffie_status_name(diffie_status status) {
  if (status == DIFFIE_OK) return "ok";
  if (status < 0) return "unknown error";  // the smallest has none before it
  return diffie::to_string(static_cast<diffie::ErrorCode>(status - 1));
}
