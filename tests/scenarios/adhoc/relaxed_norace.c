// expect: none
// expect hb: data race
// modes: hb
// also: c++
// orders: set-first spin-first
// tsan: false alarm, relaxed operations order nothing
#include "adhoc/handover.h"

// A relaxed load that is repeated until it sees the flag.
int flag;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) __builtin_ia32_pause();
  CONSUME(payload);
}

int main(void) { hand_over(publish, spin_and_use); }
