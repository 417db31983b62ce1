// expect: none
// also: c++
#include "scenario.h"

// test_and_set with release, then with acquire.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_test_and_set(&flag, __ATOMIC_RELEASE);
}
NOINLINE static void use(void) {
  if (!__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE)) abort();
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
