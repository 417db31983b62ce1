// expect: none
// orders: write-read read-write
// flags: -fno-pie -no-pie
#include "scenario.h"

int *block;

NOINLINE static void write_it(void) { block[1] = 1; }
NOINLINE static void read_it(void) { CONSUME(block[2]); }

int main(void) {
  block = (int *)calloc(4, sizeof *block);
  run_accesses(run_two, write_it, read_it);
  free(block);
}
