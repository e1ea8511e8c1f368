// What the machine can do at most: loops of nothing but the instructions that a kernel lives on.
#pragma once

#include <cstddef>

namespace diffie::bench {

struct Peak {
  double operations;  // of one call
  void (*loop)();
};

// fp32: multiply-adds of eight floats.
extern const Peak kFmaPeak;
// int8 with AVX2: two vpmaddubsw, vpaddw, vpmaddwd, vpaddd for 64 products.
extern const Peak kPair16Peak;
// int8 with VNNI: vpdpbusd; only where the machine has it.
extern const Peak kVnniPeak;

// A pass over this many bytes that reads each and writes it back: GB/s, both ways counted.
double stream_bandwidth(std::size_t bytes);

}  // namespace diffie::bench
