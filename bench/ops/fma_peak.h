#pragma once

// GFLOP/s that one thread reaches with nothing but independent fused multiply-adds of eight floats:
// the roof over every fp32 kernel on machines whose widest multiply-add is as fast. The best of
// several short runs.
double measure_fma_peak_gflops();
