// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// The acquire fence is missing.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42; // here
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
}
NOINLINE static void use(void) {
  if (__atomic_load_n(&flag, __ATOMIC_RELAXED) != 1) abort();
  CONSUME(payload); // here
}

int main(void) { run_two(publish, use); }
