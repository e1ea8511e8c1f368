#include "text/piece_trie.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

namespace diffie::text {

// Breadth first over the sorted pieces; a work item is a run of pieces with a common prefix.
class PieceTrie::Builder {
 public:
  explicit Builder(std::span<const std::string_view> pieces) : pieces_(pieces) {
    order_.resize(pieces.size());
    std::iota(order_.begin(), order_.end(), std::int32_t{0});
    std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
      return text_of(a) < text_of(b);  // string_view compares as unsigned bytes
    });
  }

  std::vector<Node> build() {
    grow_to(kBytes);
    nodes_[kRoot].parent = kRootParent;
    queue_.push_back({0, order_.size(), 0, kRoot});
    for (; !queue_.empty(); queue_.pop_front()) expand(queue_.front());
    return std::move(nodes_);
  }

 private:
  static constexpr std::size_t kBytes = 256;
  static constexpr std::int32_t kRootParent = -2;
  static constexpr std::size_t kMaxProbes = 32;  // then the children go to the end of the array

  struct Run {
    std::size_t begin, end;  // of order_
    std::size_t depth;
    std::int32_t node;
  };

  std::string_view text_of(std::int32_t id) const { return pieces_[static_cast<std::size_t>(id)]; }
  unsigned char byte_at(std::size_t index, std::size_t depth) const {
    return static_cast<unsigned char>(text_of(order_[index])[depth]);
  }

  void grow_to(std::size_t size) {
    if (nodes_.size() < size) nodes_.resize(size);
  }

  void expand(Run run) {
    if (run.begin < run.end && text_of(order_[run.begin]).size() == run.depth) {
      nodes_[static_cast<std::size_t>(run.node)].id = order_[run.begin++];
    }
    if (run.begin == run.end) return;
    labels_.clear();
    for (std::size_t i = run.begin; i < run.end; ++i) {
      const unsigned char byte = byte_at(i, run.depth);
      if (labels_.empty() || labels_.back() != byte) labels_.push_back(byte);
    }
    const std::size_t base = find_base();
    nodes_[static_cast<std::size_t>(run.node)].base = static_cast<std::int32_t>(base);
    std::size_t begin = run.begin;
    for (const unsigned char label : labels_) {
      std::size_t end = begin;
      while (end < run.end && byte_at(end, run.depth) == label) ++end;
      const auto child = static_cast<std::int32_t>(base + label);
      nodes_[base + label].parent = run.node;
      queue_.push_back({begin, end, run.depth + 1, child});
      begin = end;
    }
  }

  bool fits(std::size_t base) const {
    return std::all_of(labels_.begin(), labels_.end(), [&](unsigned char label) {
      return base + label >= nodes_.size() || nodes_[base + label].parent == kNone;
    });
  }

  std::size_t find_base() {
    const unsigned char first_label = labels_.front();
    while (first_free_ < nodes_.size() && nodes_[first_free_].parent != kNone) ++first_free_;
    std::size_t slot = std::max<std::size_t>(first_free_, first_label);
    for (std::size_t probes = 0; probes < kMaxProbes && slot < nodes_.size(); ++probes, ++slot) {
      if (fits(slot - first_label)) break;
    }
    if (!fits(slot - first_label)) slot = std::max<std::size_t>(end_of_used_, first_label);
    const std::size_t base = slot - first_label;
    end_of_used_ = std::max(end_of_used_, base + labels_.back() + 1);
    grow_to(base + kBytes);
    return base;
  }

  std::span<const std::string_view> pieces_;
  std::vector<std::int32_t> order_;
  std::deque<Run> queue_;
  std::vector<unsigned char> labels_;
  std::vector<Node> nodes_;
  std::size_t first_free_ = 1;
  std::size_t end_of_used_ = 1;
};

PieceTrie::PieceTrie(std::span<const std::string_view> pieces) : nodes_(Builder(pieces).build()) {}

std::int32_t PieceTrie::find(std::string_view bytes) const {
  std::int32_t node = kRoot;
  for (const char byte : bytes) {
    node = child(node, static_cast<unsigned char>(byte));
    if (node == kNone) return kNone;
  }
  return node;
}

}  // namespace diffie::text
