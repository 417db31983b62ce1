// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: shared
#include "scenario.h"

// A length known to the compiler: the call becomes an intrinsic or plain stores.
char shared[24], source[24];

NOINLINE static void write_it(void) {
  memcpy(shared, source, sizeof shared); // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared[17]); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
