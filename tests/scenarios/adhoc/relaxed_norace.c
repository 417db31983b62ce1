// expect: none
// modes: hb hybrid msm-short msm-long
// also: c++
// orders: set-first spin-first
#include "adhoc/handover.h"

// A relaxed load that is repeated until it sees the flag, which hands nothing
// over.
int flag;

NOINLINE static void publish(void) { __atomic_store_n(&flag, 1, __ATOMIC_RELAXED); }
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) __builtin_ia32_pause();
  payload = 42;
}

int main(void) { hand_over(publish, spin_and_use); }
