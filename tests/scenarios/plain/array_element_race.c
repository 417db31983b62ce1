// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: shared
#include "scenario.h"

int shared[100];
int position = 42;

NOINLINE static void write_it(void) {
  shared[position] = 1; // here
}
NOINLINE static void read_it(void) {
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += shared[i]; // here: write-read read-write
  CONSUME(sum);
}

int main(void) { run_accesses(run_two, write_it, read_it); }
