// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// The second exchange succeeds, relaxed.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42; // here
  int expected = 0;
  if (!__atomic_compare_exchange_n(&flag, &expected, 1, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) abort();
}
NOINLINE static void use(void) {
  int expected = 1;
  if (!__atomic_compare_exchange_n(&flag, &expected, 2, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) abort();
  CONSUME(payload); // here
}

int main(void) { run_two(publish, use); }
