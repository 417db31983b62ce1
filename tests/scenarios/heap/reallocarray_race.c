// expect: data race with free
// also: c++
// flags: -D_GNU_SOURCE
// reports: any
#include "scenario.h"

int *block, *larger;

NOINLINE static void use(void) {
  block[3] = 1; // here
}
NOINLINE static void grow(void) {
  larger = (int *)reallocarray(block, 25000, sizeof *block); // here
}

int main(void) {
  block = (int *)malloc(10 * sizeof *block);
  run_two(use, grow);
  free(larger);
}
