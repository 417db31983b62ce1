// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
#include "scenario.h"

long shared;

NOINLINE static void add_atomically(void) {
  __atomic_fetch_add(&shared, 1, __ATOMIC_ACQ_REL); // here
}
NOINLINE static void write_plainly(void) {
  shared = 7; // here
}

int main(void) { run_ordered(add_atomically, write_plainly); }
