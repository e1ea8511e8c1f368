#include "train/event_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <bit>

#include "diffie/error.h"
#include "train/crc32c.h"

namespace diffie::train {
namespace {

// Wire types of protocol buffers.
constexpr std::uint32_t kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;

template <typename T>
void append_fixed(std::string& out, T bits) {
  for (std::size_t byte = 0; byte < sizeof(T); ++byte) {
    out += static_cast<char>((bits >> (8 * byte)) & 0xff);
  }
}

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  out += static_cast<char>(value);
}

void append_key(std::string& out, std::uint32_t field, std::uint32_t wire_type) {
  append_varint(out, field << 3 | wire_type);
}

void append_bytes(std::string& out, std::uint32_t field, std::string_view bytes) {
  append_key(out, field, kBytes);
  append_varint(out, bytes.size());
  out += bytes;
}

void append_double(std::string& out, std::uint32_t field, double value) {
  append_key(out, field, kFixed64);
  append_fixed(out, std::bit_cast<std::uint64_t>(value));
}

std::uint32_t checksum(std::string_view bytes) {
  return masked_crc32c(std::as_bytes(std::span(bytes)));
}

}  // namespace

EventFile::EventFile(const std::filesystem::path& dir, double wall_time)
    : path_(dir / fmt::format("events.out.tfevents.{:.0f}.diffie.{}", wall_time, ::getpid())),
      out_(path_, std::ios::binary) {
  std::string event;
  append_double(event, 1, wall_time);
  append_bytes(event, 3, "brain.Event:2");
  write_record(event);
}

void EventFile::add_scalar(std::string_view tag, double value, std::int64_t step,
                           double wall_time) {
  std::string scalar;  // Summary.Value: 1 = tag, 2 = simple_value
  append_bytes(scalar, 1, tag);
  append_key(scalar, 2, kFixed32);
  append_fixed(scalar, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  std::string summary;
  append_bytes(summary, 1, scalar);
  std::string event;  // Event: 1 = wall_time, 2 = step, 5 = summary
  append_double(event, 1, wall_time);
  append_key(event, 2, kVarint);
  append_varint(event, static_cast<std::uint64_t>(step));
  append_bytes(event, 5, summary);
  write_record(event);
}

// length, its checksum, the event, its checksum
void EventFile::write_record(std::string_view event) {
  std::string record;
  append_fixed(record, static_cast<std::uint64_t>(event.size()));
  append_fixed(record, checksum(record));
  record += event;
  append_fixed(record, checksum(event));
  out_.write(record.data(), static_cast<std::streamsize>(record.size()));
  if (!out_.flush()) {
    throw Error(ErrorCode::kNotFound, fmt::format("{}: cannot be written", path_.string()));
  }
}

}  // namespace diffie::train
