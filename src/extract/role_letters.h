// Roles as letters, "BSRO", the way pools and training files write a word's tag.
#pragma once

#include <string_view>
#include <vector>

#include "extract/selector.h"

namespace diffie::extract {

inline constexpr std::string_view kRoleLetters = "BSRO";

constexpr char letter_of(Role role) { return kRoleLetters[static_cast<std::size_t>(role)]; }

// `letter` is one of the four.
constexpr Role role_of(char letter) { return static_cast<Role>(kRoleLetters.find(letter)); }

inline std::vector<Role> roles_of(std::string_view letters) {
  std::vector<Role> roles;
  roles.reserve(letters.size());
  for (const char letter : letters) roles.push_back(role_of(letter));
  return roles;
}

}  // namespace diffie::extract
