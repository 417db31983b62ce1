// expect: none
// also: c++
#include "scenario.h"

// A signal fence does not get in the way.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}
NOINLINE static void use(void) {
  if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) != 1) abort();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
