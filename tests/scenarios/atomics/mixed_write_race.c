// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
#include "scenario.h"

int shared;

NOINLINE static void load_atomically(void) {
  CONSUME(__atomic_load_n(&shared, __ATOMIC_ACQUIRE)); // here
}
NOINLINE static void write_plainly(void) {
  shared = 1; // here
}

int main(void) { run_ordered(load_atomically, write_plainly); }
