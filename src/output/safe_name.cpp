#include "output/safe_name.h"

#include <fmt/format.h>

namespace diffie::output {
namespace {

constexpr std::size_t kMaxStem = 80;

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

}  // namespace

std::string SafeNames::next(std::string_view id) {
  std::string_view stem = id;
  if (stem.ends_with(".txt")) stem.remove_suffix(4);
  std::string name;
  for (const char c : stem.substr(0, kMaxStem)) name += is_safe(c) ? c : '_';
  if (name.starts_with('.')) name[0] = '_';
  if (name != stem || name.empty()) name += '-' + node_id(id).substr(0, 16);
  for (std::size_t copy = 1;; ++copy) {
    const std::string candidate = copy == 1 ? name : fmt::format("{}-{}", name, copy);
    if (taken_.insert(node_id(candidate))) return candidate;
  }
}

}  // namespace diffie::output
