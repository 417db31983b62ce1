// expect: data race
// orders: write-read read-write
// also: c++
// names: shared
#include "scenario.h"

char shared[100], copy[100];
size_t length = 60;

NOINLINE static void write_it(void) {
  shared[59] = 1; // here
}
NOINLINE static void read_it(void) {
  memcpy(copy, shared, length); // here
}

int main(void) { run_accesses(run_two, write_it, read_it); }
