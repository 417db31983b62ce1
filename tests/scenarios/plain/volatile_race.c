// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: shared
#include "scenario.h"

// volatile orders nothing between threads.
volatile int shared;

NOINLINE static void write_it(void) {
  shared = 1; // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
