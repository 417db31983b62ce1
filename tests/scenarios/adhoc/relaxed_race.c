// expect: data race
// modes: hb hybrid
// also: c++
// orders: set-first spin-first
// names: payload
#include "adhoc/handover.h"

// The payload is written behind the flag.
int flag;

NOINLINE static void publish(void) {
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
  payload = 42; // here
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) __builtin_ia32_pause();
  after_setter();
  CONSUME(payload); // here
}

int main(void) { hand_over(publish, spin_and_use); }
