// expect: none
// also: c++
#include "scenario.h"

// Looked at once, but with release and acquire.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}
NOINLINE static void look_once(void) {
  if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 1) CONSUME(payload);
}

int main(void) { run_two(publish, look_once); }
