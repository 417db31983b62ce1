// expect: data race
// modes: hb hybrid msm-short msm-long
// also: c++
// orders: set-first spin-first
// names: payload
#include "adhoc/handover.h"

// The payload is written behind the flag.
int flag;

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
  write_late();
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) __builtin_ia32_pause();
  after_setter();
  USE(payload); // here
  take_step();
}

int main(void) { hand_over_late(publish, spin_and_use, write_late); }
