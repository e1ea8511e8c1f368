// Run files: TOML, read by toml++. A file may name another that it is laid over.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <span>
#include <string>

namespace diffie::train {

// The file, laid over the one that its key `base` names (relative to its own place), and the
// settings, each as "table.key=value", over both. Every value knows where it stands. Throws
// kNotFound; kBadInput for what is not TOML and for bases without end; kInvalidArgument for a
// setting without '='.
toml::table read_run_file(const std::filesystem::path& path, std::span<const std::string> settings);

// "file:line" of a value, or the setting that gave it.
std::string place_of(const toml::node& value);

}  // namespace diffie::train
