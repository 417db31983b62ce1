// expect: none
// also: c++
#include "scenario.h"

int *block;

NOINLINE static void use(void) { block[3] = 1; }
NOINLINE static void grow(void) {
  block = (int *)realloc(block, 100000);
  block[20000] = 1;
}

int main(void) {
  block = (int *)malloc(10 * sizeof *block);
  run_joined(use, grow);
  CONSUME(block[3]);
  free(block);
}
