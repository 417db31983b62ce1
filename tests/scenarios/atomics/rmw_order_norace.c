// expect: none
// also: c++
#include "scenario.h"

// Each read-modify-write releases and acquires.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_fetch_add(&flag, 1, __ATOMIC_ACQ_REL);
}
NOINLINE static void use(void) {
  if (__atomic_fetch_add(&flag, 1, __ATOMIC_ACQ_REL) != 1) abort();
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
