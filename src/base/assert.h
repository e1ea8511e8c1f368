// For what can only be our own mistake; no input, file or request may reach it.
#pragma once

#include <cstdio>
#include <cstdlib>

#define DIFFIE_ASSERT(condition)                                                             \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)
