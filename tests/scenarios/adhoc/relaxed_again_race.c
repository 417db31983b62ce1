// expect: data race
// modes: hybrid msm-short
// reports: any
// also: c++
// orders: set-first spin-first
// names: payload
#include "adhoc/handover.h"

// The payload is written in front of the flag and once more behind it, with
// nothing in between but a relaxed store.
int flag;

NOINLINE static void write_late(void) {
  payload = 43; // here
}
NOINLINE static void publish(void) {
  payload = 42;
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
  write_late();
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) __builtin_ia32_pause();
  after_setter();
  USE(payload); // here
}

int main(void) { hand_over(publish, spin_and_use); }
