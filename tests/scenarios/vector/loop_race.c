// expect: data race
// orders: write-read read-write write-write
// opt: O0 O2 O3
// flags: -mavx2
// names: shared
// tsan: misses: it does not check accesses of 32 bytes
#include "scenario.h"

// A loop that the compiler turns into vector accesses.
int shared[1000];

NOINLINE static void write_it(void) {
  for (int i = 0; i < 1000; ++i) shared[i] = i; // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared[997]); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
