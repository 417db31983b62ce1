// expect: none
// also: c++
// flags: -D_GNU_SOURCE
// tsan: skip, its allocator ends the program that asks for too much
#include "scenario.h"

int *block;

NOINLINE static void use(void) { block[3] = 1; }
NOINLINE static void grow(void) {
  // What would be too large leaves the block as it is.
  if (reallocarray(block, (size_t)-1 / 2, sizeof *block)) abort();
  block[4] = 1;
  block = (int *)reallocarray(block, 25000, sizeof *block);
  block[20000] = 1;
}

int main(void) {
  block = (int *)malloc(10 * sizeof *block);
  run_joined(use, grow);
  if (block[3] != 1 || block[4] != 1) abort();
  free(block);
}
