// expect: none
// also: c++
// options: precise=0
// modes: msm-short msm-long
// orders: set-first spin-first
#include <sched.h>

#include "adhoc/handover.h"

// An atomic flag that releases and acquires needs no loop to be recognised.
int flag;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) sched_yield();
  CONSUME(payload);
}

int main(void) { hand_over(publish, spin_and_use); }
