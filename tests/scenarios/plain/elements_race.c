// expect: data race
// orders: write-read read-write
// also: c++
// names: shared
#include "scenario.h"

// Several elements read by one expression after the other, as an unrolled loop
// leaves them; the first begins in the middle of an aligned word, and the last
// one is written.
float shared[16] __attribute__((aligned(16)));

NOINLINE static float sum(const float *row) {
  float all = 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < 8; ++i) all += row[i]; // here
  return all;
}

NOINLINE static void write_it(void) {
  shared[8] = 7; // here
}
NOINLINE static void read_it(void) { CONSUME(sum(shared + 1)); }

int main(void) { run_accesses(run_two, write_it, read_it); }
