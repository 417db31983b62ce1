// expect: none
// orders: write-read read-write
// also: c++
#include "scenario.h"

float shared[16] __attribute__((aligned(16)));

NOINLINE static float sum(const float *row) {
  float all = 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < 8; ++i) all += row[i];
  return all;
}

// The neighbours on both sides, in the same words.
NOINLINE static void write_it(void) {
  shared[0] = 7;
  shared[9] = 7;
}
NOINLINE static void read_it(void) { CONSUME(sum(shared + 1)); }

int main(void) { run_accesses(run_two, write_it, read_it); }
