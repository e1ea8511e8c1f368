// What the machine can do at most: loops of nothing but the instructions that a kernel lives on.
#pragma once

#include <cstddef>

namespace diffie::bench {

// fp32: multiply-adds of eight floats. GFLOP/s, one thread.
double fma_peak();
// int8 with AVX2: two vpmaddubsw, vpaddw, vpmaddwd, vpaddd for 64 products. GOP/s.
double pair16_peak();
// int8 with VNNI: vpdpbusd. GOP/s; only where the machine has it.
double vnni_peak();
// A pass over this many bytes that reads each and writes it back: GB/s, both ways counted.
double stream_bandwidth(std::size_t bytes);

}  // namespace diffie::bench
