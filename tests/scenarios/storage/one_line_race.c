// expect: data race
// reports: 4
// orders: write-read read-write
// also: c++
// names: 'main::one', 'main::other', offset 8 of a heap block, offset 40 of a heap block
// tsan: skip, it reports each line once
#include "scenario.h"

// Two local variables, and two places of a block of which no type is known, on
// one line each: four races.
static long *one_passed, *other_passed;
static char *block;

NOINLINE static void write_it(void) {
  *one_passed = 1, *other_passed = 1; // here
  *(long *)(block + 8) = 1, *(long *)(block + 40) = 1; // here
}
NOINLINE static void read_it(void) {
  CONSUME(*one_passed + *other_passed); // here
  CONSUME(*(long *)(block + 8) + *(long *)(block + 40)); // here
}

NOINLINE static void run(void) { run_accesses(run_two, write_it, read_it); }

int main(void) {
  long one = 0, other = 0;
  one_passed = &one, other_passed = &other;
  block = (char *)malloc(64);
  memset(block, 0, 64);
  run();
  CONSUME(one + other);
  free(block);
  return 0;
}
