// expect: data race
// orders: write-read read-write
// opt: O3 Os Oz
// also: c++
// names: shared
#include "scenario.h"

int shared;

NOINLINE static void write_it(void) {
  shared = 1; // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared); // here
}

int main(void) { run_accesses(run_two, write_it, read_it); }
