// Names and identities of the nodes of a graph.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

namespace diffie::output {

// On one line: runs of white space and control characters are one blank, none at the ends; bytes
// that are not UTF-8 are U+FFFD.
std::string one_line(std::string_view text);

// What two mentions of one node have in common: one line, in lower case.
std::string node_key(std::string_view text);

// 32 hexadecimal digits: the first half of the key's SHA-256. The same in every run, so that graphs
// of several runs can be put together.
std::string node_id(std::string_view key);

// Which nodes were seen; 16 bytes a node and what a hash table needs.
class SeenNodes {
 public:
  bool insert(std::string_view id);  // as node_id() gives it; true: it is new

 private:
  using Id = std::array<std::uint64_t, 2>;
  struct Hash {
    std::size_t operator()(const Id& id) const { return static_cast<std::size_t>(id[0]); }
  };
  std::unordered_set<Id, Hash> ids_;
};

}  // namespace diffie::output
