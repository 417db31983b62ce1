// expect: none
// modes: hb hybrid msm-short msm-long
// also: c++
// orders: set-first spin-first
#include "adhoc/handover.h"

// What is written behind the relaxed store is the writer's own, and what is in
// front of it is written once more, but nobody else uses it.
int flag;
int mine;

NOINLINE static void publish(void) {
  mine = 1;
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
  mine = 2;
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) __builtin_ia32_pause();
  after_setter();
  CONSUME(payload);
}

int main(void) { hand_over(publish, spin_and_use); }
