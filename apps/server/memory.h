// How much of what the allocator once had it keeps for later.
#pragma once

namespace diffie::server {

// From here on, less than is usual: before the first thread starts.
void keep_little_memory();

// The pages that are empty go back to the system now.
void give_memory_back();

}  // namespace diffie::server
