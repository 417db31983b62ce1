// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

// Atomic accesses do not race with each other, whatever their order; an atomic
// load does not race with a plain one.
int shared, constant = 3;

NOINLINE static void first(void) {
  __atomic_store_n(&shared, 1, __ATOMIC_RELAXED);
  CONSUME(__atomic_load_n(&constant, __ATOMIC_RELAXED));
}
NOINLINE static void second(void) {
  __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
  CONSUME(constant);
}

int main(void) { run_ordered(first, second); }
