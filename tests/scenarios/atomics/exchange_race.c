// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// The exchange that publishes is relaxed.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42; // here
  __atomic_exchange_n(&flag, 1, __ATOMIC_RELAXED);
}
NOINLINE static void use(void) {
  if (__atomic_exchange_n(&flag, 0, __ATOMIC_ACQ_REL) != 1) abort();
  CONSUME(payload); // here
}

int main(void) { run_two(publish, use); }
