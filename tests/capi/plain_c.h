#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first triple of a text as "subject | relation | object", by C alone; 0 when there is one. */
int first_triple_in_c(const char* model_path, const char* text, char* out, size_t capacity);

#ifdef __cplusplus
}
#endif
