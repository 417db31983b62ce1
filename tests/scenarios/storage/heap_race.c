// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: 'int[7]' (int), make_block
#include "scenario.h"

int *block;

NOINLINE static void make_block(void) { block = (int *)malloc(10 * sizeof *block); }
NOINLINE static void write_it(void) {
  block[7] = 1; // here
}
NOINLINE static void read_it(void) {
  CONSUME(block[7]); // here: write-read read-write
}

int main(void) {
  make_block();
  block[7] = 0;
  run_accesses(run_two, write_it, read_it);
  free(block);
}
