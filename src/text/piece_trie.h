// Vocabulary pieces as a double-array trie over bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace diffie::text {

class PieceTrie {
 public:
  static constexpr std::int32_t kRoot = 0;
  static constexpr std::int32_t kNone = -1;

  // The id of a piece is its index. Pieces are distinct and not empty.
  explicit PieceTrie(std::span<const std::string_view> pieces);

  // The child of a node by one more byte, or kNone.
  std::int32_t child(std::int32_t node, unsigned char byte) const {
    const std::int32_t next = nodes_[static_cast<std::size_t>(node)].base + byte;
    return nodes_[static_cast<std::size_t>(next)].parent == node ? next : kNone;
  }

  // The piece that ends in this node, or kNone.
  std::int32_t piece(std::int32_t node) const { return nodes_[static_cast<std::size_t>(node)].id; }

  // The node of a string, or kNone when no piece begins with it.
  std::int32_t find(std::string_view bytes) const;

  std::size_t num_slots() const { return nodes_.size(); }

 private:
  struct Node {
    std::int32_t base = 0;  // children lie at base + byte, always inside the array
    std::int32_t parent = kNone;
    std::int32_t id = kNone;
  };
  class Builder;

  std::vector<Node> nodes_;
};

}  // namespace diffie::text
