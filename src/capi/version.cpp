#include "diffie/version.h"

#include "diffie.h"

const char* diffie_version(void) { return diffie::version(); }

int32_t diffie_c_version(void) { return DIFFIE_C_VERSION; }
