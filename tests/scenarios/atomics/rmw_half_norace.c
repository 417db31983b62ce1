// expect: none
// also: c++
#include "scenario.h"

// The writer releases, the reader acquires.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_fetch_add(&flag, 1, __ATOMIC_RELEASE);
}
NOINLINE static void use(void) {
  if (__atomic_fetch_add(&flag, 1, __ATOMIC_ACQUIRE) != 1) abort();
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
