#pragma once

// What a shared library shows of itself; all else is hidden.
#define DIFFIE_API [[gnu::visibility("default")]]
