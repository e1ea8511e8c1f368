#include "journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "checksums/sha256.h"
#include "diffie/error.h"
#include "files/file_lock.h"
#include "files/uninterrupted.h"
#include "result_record.h"

namespace diffie::cli {
namespace {

constexpr std::string_view kMagic = "diffie journal 1\n";
constexpr std::size_t kChecksumBytes = 16;
constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 30;

std::string checksum(std::string_view bytes) {
  return checksums::sha256(std::as_bytes(std::span(bytes))).substr(0, kChecksumBytes);
}

// FNV-1a: whether a sentence is the one that it was.
std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char character : text) {
    hash ^= static_cast<unsigned char>(character);
    hash *= 0x100000001B3;
  }
  return hash;
}

}  // namespace

Journal::Journal(std::filesystem::path path, std::string run)
    : path_(std::move(path)), run_(std::move(run)) {
  open(0);
  if (descriptor_ < 0) {
    if (errno != ENOENT) fail("cannot be opened");
    return;
  }
  try {
    lock();
    resumed_ = begun_ = replaying_ = read_magic() && read_record();
    if (resumed_) check_header();
    position_ = record_.size();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// A pipe is not waited for.
void Journal::open(int flags) {
  descriptor_ = files::uninterrupted(
      [&] { return ::open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | flags, 0666); });
}

void Journal::lock() {
  struct stat file {};
  if (::fstat(descriptor_, &file) != 0) fail("cannot be opened");
  if (!S_ISREG(file.st_mode)) refuse("is there and no journal of diffie");
  if (!files::lock_file(descriptor_)) refuse("another run is writing it");
}

// There is something to keep.
void Journal::begin() {
  if (descriptor_ < 0) {
    open(O_CREAT | O_EXCL);
    if (descriptor_ < 0) fail("cannot be created");
    lock();
  }
  cut_off(0);
  write(kMagic);
  write_record(run_);
  begun_ = true;
}

void Journal::check_header() const {
  std::istringstream then(record_);
  std::istringstream now(run_);
  std::string line_then;
  std::string line_now;
  while (std::getline(then, line_then) && std::getline(now, line_now) && line_then == line_now) {
  }
  if (record_ == run_) return;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{}: is of a run with '{}', this one has '{}'; remove it to begin anew",
                          path_.string(), line_then, line_now));
}

std::optional<SentenceResult> Journal::replay(std::string_view sentence) {
  if (!replaying_) return std::nullopt;
  if (position_ == record_.size() && !read_record()) {
    replaying_ = false;
    return std::nullopt;
  }
  std::string_view left = std::string_view(record_).substr(position_);
  std::uint64_t found = 0;
  std::optional<SentenceResult> result;
  if (left.size() >= sizeof(found)) {
    std::memcpy(&found, left.data(), sizeof(found));
    left.remove_prefix(sizeof(found));
    if (found == fingerprint(sentence)) result = take_record(left, sentence.size());
  }
  if (!result) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: sentence {} of the input is not what it was; remove the journal "
                            "to begin anew",
                            path_.string(), num_replayed_ + 1));
  }
  position_ = record_.size() - left.size();
  ++num_replayed_;
  return result;
}

void Journal::append(std::span<const std::string_view> sentences,
                     std::span<const SentenceResult> results) {
  if (!begun_) begin();
  std::string payload;
  for (std::size_t index = 0; index < sentences.size(); ++index) {
    const std::uint64_t hash = fingerprint(sentences[index]);
    payload.append(reinterpret_cast<const char*>(&hash), sizeof(hash));
    append_record(payload, results[index]);
  }
  write_record(payload);
}

void Journal::remove() {
  if (descriptor_ >= 0 && ::unlink(path_.c_str()) != 0) fail("cannot be removed");
}

// Bytes read: fewer at the end of the file. What cannot be read is no end: nothing may be cut off.
std::size_t Journal::read_fully(char* to, std::size_t size) {
  std::size_t got = 0;
  while (got < size) {
    const ssize_t some =
        files::uninterrupted([&] { return ::read(descriptor_, to + got, size - got); });
    if (some < 0) fail("cannot be read");
    if (some == 0) break;
    got += static_cast<std::size_t>(some);
  }
  return got;
}

// False where the file is empty, or was when its first bytes were torn.
bool Journal::read_magic() {
  std::string found(kMagic.size(), '\0');
  found.resize(read_fully(found.data(), found.size()));
  if (!kMagic.starts_with(found)) refuse("is there and no journal of diffie");
  end_ = found.size();
  return found == kMagic;
}

// Behind the place where the next byte is read.
std::uint64_t Journal::bytes_left() const {
  struct stat file {};
  const off_t at = ::lseek(descriptor_, 0, SEEK_CUR);
  if (::fstat(descriptor_, &file) != 0 || at < 0) fail("cannot be read");
  return at < file.st_size ? static_cast<std::uint64_t>(file.st_size - at) : 0;
}

// False at the end of the whole records; what follows them is cut off.
bool Journal::read_record() {
  std::uint64_t size = 0;
  std::string sum(kChecksumBytes, '\0');
  std::string payload;
  bool whole = read_fully(reinterpret_cast<char*>(&size), sizeof(size)) == sizeof(size) &&
               read_fully(sum.data(), sum.size()) == sum.size() && size > 0 &&
               size <= std::min<std::uint64_t>(kMaxRecordBytes, bytes_left());
  if (whole) {
    payload.resize(size);
    whole = read_fully(payload.data(), size) == size && checksum(payload) == sum;
  }
  if (whole) {
    end_ += sizeof(size) + sum.size() + size;
    record_ = std::move(payload);
    position_ = 0;
    return true;
  }
  cut_off(end_);
  return false;
}

void Journal::cut_off(std::uint64_t size) {
  const auto end = static_cast<off_t>(size);
  if (files::uninterrupted([&] { return ::ftruncate(descriptor_, end); }) != 0 ||
      ::lseek(descriptor_, end, SEEK_SET) != end)
    fail("cannot be cut");
}

void Journal::write_record(std::string_view payload) {
  const std::uint64_t size = payload.size();
  std::string record(reinterpret_cast<const char*>(&size), sizeof(size));
  record += checksum(payload);
  record += payload;
  write(record);
}

void Journal::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        files::uninterrupted([&] { return ::write(descriptor_, bytes.data(), bytes.size()); });
    if (written < 0) fail("cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Journal::fail(const char* doing) const {
  throw Error(ErrorCode::kNotFound,
              fmt::format("{}: {}: {}", path_.string(), doing, std::strerror(errno)));
}

void Journal::refuse(const char* why) const {
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: {}", path_.string(), why));
}

}  // namespace diffie::cli
