// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: shared
#include "scenario.h"

char shared[100];
size_t length = 60;

NOINLINE static void write_it(void) {
  memmove(shared + 5, shared, length); // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared[64]); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
