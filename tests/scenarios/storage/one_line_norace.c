// expect: none
// orders: write-read read-write
// also: c++
#include "scenario.h"

// The same accesses by threads one after the other.
static long *one_passed, *other_passed;
static char *block;

NOINLINE static void write_it(void) {
  *one_passed = 1, *other_passed = 1;
  *(long *)(block + 8) = 1, *(long *)(block + 40) = 1;
}
NOINLINE static void read_it(void) {
  CONSUME(*one_passed + *other_passed);
  CONSUME(*(long *)(block + 8) + *(long *)(block + 40));
}

NOINLINE static void run(void) { run_accesses(run_joined, write_it, read_it); }

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
