#pragma once

namespace diffie::cli {

// 0 all well; 1 some input was bad, the rest was done; 2 nothing could be done.
inline constexpr int kExitOk = 0;
inline constexpr int kExitBadInput = 1;
inline constexpr int kExitUsage = 2;

}  // namespace diffie::cli
