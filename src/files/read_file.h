// Whole files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace diffie::files {

// Four times what a system says of 200,000 sentences.
inline constexpr std::size_t kMaxTextBytes = std::size_t{256} << 20;

// Anything that can be read to its end, pipes too. Throws kNotFound when it cannot be read and
// kExhausted when it is larger than `max_bytes`, for whose excess no memory is asked.
std::string read_text_file(const std::filesystem::path& path,
                           std::size_t max_bytes = kMaxTextBytes);

// A regular file of a model, read as hostile: kNotFound, and kCorruptModel when it is larger than
// `max_bytes`.
std::string read_small_file(const std::filesystem::path& path, std::size_t max_bytes);

}  // namespace diffie::files
