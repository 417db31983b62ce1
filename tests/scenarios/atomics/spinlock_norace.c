// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

int lock, shared;

NOINLINE static void acquire(void) {
  int expected = 0;
  while (!__atomic_compare_exchange_n(&lock, &expected, 1, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    expected = 0;
}
NOINLINE static void release(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }
NOINLINE static void first(void) {
  acquire();
  shared = 1;
  release();
}
NOINLINE static void second(void) {
  acquire();
  shared = 2;
  release();
}

int main(void) { run_ordered(first, second); }
