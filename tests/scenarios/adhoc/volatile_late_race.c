// expect: ad-hoc synchronisation on a non-atomic variable, data race
// expect hb: data race
// modes: hb hybrid msm-short msm-long
// reports: any
// tsan: skip, it reports the flag and not the payload
// also: c++
// orders: set-first spin-first
// names: flag, payload
#include "adhoc/handover.h"

// The payload is written behind the flag.
volatile int flag;

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  flag = 1; // here
  write_late();
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!flag) __builtin_ia32_pause(); // here
  after_setter();
  USE(payload); // here
  take_step();
}

int main(void) { hand_over_late(publish, spin_and_use, write_late); }
