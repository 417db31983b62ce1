// expect: none
// also: c++
#include "scenario.h"

// The exchange fails with acquire.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}
NOINLINE static void use(void) {
  int expected = 9;
  if (__atomic_compare_exchange_n(&flag, &expected, 2, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) abort();
  if (expected != 1) abort();
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
