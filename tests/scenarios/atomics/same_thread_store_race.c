// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// The payload is written between the release store and a relaxed one; the
// reader sees the relaxed one, which publishes nothing.
int flag, payload;

NOINLINE static void publish(void) {
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  payload = 42; // here
  __atomic_store_n(&flag, 2, __ATOMIC_RELAXED);
}
NOINLINE static void use(void) {
  if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) != 2) abort();
  CONSUME(payload); // here
}

int main(void) { run_two(publish, use); }
