// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
// tsan: misses: the racy byte's cell is evicted by its neighbours
#include "scenario.h"

// Each thread owns some bytes of the word; byte 3 is everyone's.
volatile char shared[8] __attribute__((aligned(8)));

NOINLINE static void write_first(void) {
  shared[3] = 1; // here
  shared[0] = 1;
  shared[1] = 1;
  shared[2] = 1;
}
NOINLINE static void write_second(void) {
  shared[4] = 1;
  shared[5] = 1;
  shared[6] = 1;
  shared[7] = 1;
  shared[3] = 2; // here
}

int main(void) { run_ordered(write_first, write_second); }
