// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// Relaxed read-modify-writes order only themselves.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42; // here
  __atomic_fetch_add(&flag, 1, __ATOMIC_RELAXED);
}
NOINLINE static void use(void) {
  if (__atomic_fetch_add(&flag, 1, __ATOMIC_RELAXED) != 1) abort();
  CONSUME(payload); // here
}

int main(void) { run_two(publish, use); }
