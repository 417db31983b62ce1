// expect: none
// orders: write-read read-write
// opt: O0 O2 O3
// flags: -mavx2
#include "scenario.h"

int shared[1001];
int start = 0, end = 1000;

NOINLINE static void write_it(void) {
  for (int i = start; i < end; ++i) shared[i] = i;
}
NOINLINE static void read_it(void) { CONSUME(shared[1000]); }

int main(void) { run_accesses(run_two, write_it, read_it); }
