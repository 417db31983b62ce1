// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

int *block;

NOINLINE static void write_low(void) { block[0] = 1; }
NOINLINE static void write_high(void) { block[9] = 1; }

int main(void) {
  block = (int *)calloc(10, sizeof *block);
  run_ordered(write_low, write_high);
  CONSUME(block[0] + block[9]);
  free(block);
}
