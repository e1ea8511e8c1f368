// What the machine can do at most: loops of nothing but the instructions that a kernel lives on.
#pragma once

#include <cstddef>

namespace diffie::bench {

// Its loop runs only where the machine has the instructions.
struct Peak {
  double operations;  // of one call
  void (*loop)();
};

// fp32: multiply-adds of eight floats, of sixteen.
extern const Peak kFmaPeak;
extern const Peak kFma512Peak;
// int8 with AVX2: two vpmaddubsw, vpaddw, vpmaddwd, vpaddd for 64 products.
extern const Peak kPair16Peak;
// int8 with VNNI: vpdpbusd of 512 bits.
extern const Peak kVnniPeak;
// int8 with AMX: tdpbusd of 16 x 64 inputs and 64 x 16 weights.
extern const Peak kAmxPeak;

// A pass over this many bytes that reads each and writes it back: GB/s, both ways counted.
double stream_bandwidth(std::size_t bytes);

}  // namespace diffie::bench
