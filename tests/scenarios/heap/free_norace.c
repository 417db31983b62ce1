// expect: none
// also: c++
#include "scenario.h"

int *block;

NOINLINE static void use(void) { block[3] = 1; }
NOINLINE static void release(void) { free(block); }

int main(void) {
  block = (int *)malloc(10 * sizeof *block);
  run_joined(use, release);
}
