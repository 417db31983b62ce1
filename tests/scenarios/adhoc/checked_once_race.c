// expect: data race
// expect msm-long: none
// also: c++
// names: payload
#include "scenario.h"

// A flag that is looked at once and not waited for orders nothing.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42; // here
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
}
NOINLINE static void look_once(void) {
  if (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 1) CONSUME(payload); // here
}

int main(void) { run_two(publish, look_once); }
