// The switch of the mutants: DIFFIE_MUTANT=17 turns on number 17; DIFFIE_MUTANTS_REACHED=FILE writes there, one byte
// for each number, which ones were asked for.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace diffie_mutation {

constexpr int kMost = 1 << 17;

struct Switches {
  const int active = std::getenv("DIFFIE_MUTANT") ? std::atoi(std::getenv("DIFFIE_MUTANT")) : 0;
  const char* const file = std::getenv("DIFFIE_MUTANTS_REACHED");
  char reached[kMost] = {};

  ~Switches() {
    std::FILE* out = file ? std::fopen(file, "wb") : nullptr;
    if (!out) return;
    std::fwrite(reached, 1, kMost, out);
    std::fclose(out);
  }
};
inline Switches switches;

}  // namespace diffie_mutation

constexpr bool diffie_mutant(int number) {
  if (std::is_constant_evaluated()) return false;
  if (diffie_mutation::switches.file) diffie_mutation::switches.reached[number] = 1;
  return diffie_mutation::switches.active == number;
}
