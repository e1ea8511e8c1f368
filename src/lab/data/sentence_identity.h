// Which sentence is which: those that must not be trained on, and a number that is a sentence's
// own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>

namespace diffie::data {

// Identities (score::sentence_key) of a file's sentences, one a line; none for an empty path.
// Throws kNotFound.
std::unordered_set<std::string> read_identities(const std::filesystem::path& path);

// A number that depends on the text and the seed alone, evenly spread.
std::uint64_t seeded_hash(std::string_view text, std::uint64_t seed);

}  // namespace diffie::data
