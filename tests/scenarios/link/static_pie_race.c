// expect: data race
// opt: O1
// orders: write-read read-write
// flags: -static-pie
// names: shared
// tsan: skip: it does not link statically
#include "scenario.h"

int shared;

NOINLINE static void write_it(void) {
  shared = 1; // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared); // here
}

int main(void) { run_accesses(run_two, write_it, read_it); }
