// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

long shared;

NOINLINE static void arithmetic(void) {
  __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&shared, 1, __ATOMIC_RELAXED);
  __atomic_fetch_or(&shared, 1, __ATOMIC_RELAXED);
}
NOINLINE static void logic(void) {
  __atomic_fetch_and(&shared, 1, __ATOMIC_RELAXED);
  __atomic_fetch_xor(&shared, 1, __ATOMIC_RELAXED);
  __atomic_fetch_nand(&shared, 1, __ATOMIC_RELAXED);
}

int main(void) { run_ordered(arithmetic, logic); }
