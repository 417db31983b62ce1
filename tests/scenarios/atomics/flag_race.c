// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// test_and_set without release publishes nothing.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42; // here
  __atomic_test_and_set(&flag, __ATOMIC_RELAXED);
}
NOINLINE static void use(void) {
  if (!__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE)) abort();
  CONSUME(payload); // here
}

int main(void) { run_two(publish, use); }
