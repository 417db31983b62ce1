// expect: none
// also: c++
#include "scenario.h"

// The second exchange succeeds with acquire.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42;
  int expected = 0;
  if (!__atomic_compare_exchange_n(&flag, &expected, 1, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) abort();
}
NOINLINE static void use(void) {
  int expected = 1;
  if (!__atomic_compare_exchange_n(&flag, &expected, 2, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) abort();
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
