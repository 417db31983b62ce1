// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: shared
#include "scenario.h"

struct record {
  long fields[5];
} shared, source;

NOINLINE static void write_it(void) {
  shared = source; // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared.fields[3]); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
