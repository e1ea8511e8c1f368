#pragma once

// What a shared library shows of itself; all else is hidden.
#define DIFFIE_API [[gnu::visibility("default")]]
// For a class inside one that is shown.
#define DIFFIE_HIDDEN [[gnu::visibility("hidden")]]
