// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: 'main::local' (int)
#include "scenario.h"

int *passed;

NOINLINE static void write_it(void) {
  *passed = 1; // here
}
NOINLINE static void read_it(void) {
  CONSUME(*passed); // here: write-read read-write
}

NOINLINE static void run(void) { run_accesses(run_two, write_it, read_it); }

int main(void) {
  int local = 0;
  passed = &local;
  run();
  CONSUME(local);
}
