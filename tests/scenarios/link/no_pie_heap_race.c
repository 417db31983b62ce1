// expect: data race
// orders: write-read read-write
// flags: -fno-pie -no-pie
#include "scenario.h"

// The heap of a non-PIE program follows its data, low in the address space.
int *block;

NOINLINE static void write_it(void) {
  block[1] = 1; // here
}
NOINLINE static void read_it(void) {
  CONSUME(block[1]); // here
}

int main(void) {
  block = (int *)malloc(64);
  block[1] = 0;
  run_accesses(run_two, write_it, read_it);
  free(block);
}
