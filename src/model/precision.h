#pragma once

namespace diffie::model {

// How the products with the large matrices are computed.
enum class Precision {
  kInt8,  // with int8 weights as they are and inputs rounded to seven bits; other weights: fp32
  kFp32,  // all in fp32
};

}  // namespace diffie::model
