// SHA256SUMS of a directory, in the format of `sha256sum`.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace diffie::checksums {

// File name -> 64 hexadecimal digits. Throws kNotFound, kCorruptModel for a line that is not one
// sum, a name that is no plain file name, or a name listed twice.
std::map<std::string, std::string> read_sha256sums(const std::filesystem::path& dir);

// One line per problem: a listed file that is absent, not a plain file or has another sum; a name
// of `required` that is not listed. With `all`, also every file that is there but not listed.
std::vector<std::string> check_sha256sums(const std::filesystem::path& dir,
                                          const std::vector<std::string>& required, bool all);

// Over all other files of the directory, sorted by name. Throws kInvalidArgument for a
// subdirectory or a name that is not plain.
void write_sha256sums(const std::filesystem::path& dir);

}  // namespace diffie::checksums
