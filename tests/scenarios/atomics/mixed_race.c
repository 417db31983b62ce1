// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
#include "scenario.h"

int shared;

NOINLINE static void store_atomically(void) {
  __atomic_store_n(&shared, 1, __ATOMIC_SEQ_CST); // here
}
NOINLINE static void read_plainly(void) {
  CONSUME(shared); // here
}

int main(void) { run_ordered(store_atomically, read_plainly); }
