// expect: none
// also: c++
#include "scenario.h"

// A plain initialisation before the threads start, atomic use by both.
int shared;

NOINLINE static void add(void) { __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED); }
NOINLINE static void subtract(void) { __atomic_fetch_sub(&shared, 1, __ATOMIC_RELAXED); }

int main(void) {
  shared = 5;
  run_two(add, subtract);
  CONSUME(shared);
}
