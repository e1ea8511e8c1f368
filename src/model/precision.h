#pragma once

#include "diffie/settings.h"

namespace diffie::model {

// How the products with the large matrices are computed: kInt8 with int8 weights as they are and
// inputs rounded to seven bits (other weights: fp32), kFp32 all in fp32.
using diffie::Precision;

}  // namespace diffie::model
