// expect: none
// also: c++
// tsan: false alarm: it ignores fences
#include "scenario.h"

// A release store meets an acquire fence.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}
NOINLINE static void use(void) {
  if (__atomic_load_n(&flag, __ATOMIC_RELAXED) != 1) abort();
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
