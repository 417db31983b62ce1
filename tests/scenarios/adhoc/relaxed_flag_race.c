// expect: ad-hoc synchronisation on a relaxed atomic variable
// expect hb: data race
// expect msm-long: none
// modes: hb hybrid msm-short msm-long
// reports: any
// also: c++
// orders: set-first spin-first
#include "adhoc/handover.h"

// The flag hands over the payload, but relaxed operations promise no order.
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
