// expect: none
// modes: hb hybrid msm-short msm-long
// also: c++
// orders: set-first spin-first
#include "adhoc/handover.h"

// Relaxed operations with fences round them.
int flag;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) __builtin_ia32_pause();
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  CONSUME(payload);
}

int main(void) { hand_over(publish, spin_and_use); }
