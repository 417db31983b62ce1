// expect: ad-hoc synchronisation on a non-atomic variable
// expect hb: data race
// modes: hb hybrid msm-short msm-long
// reports: any
// also: c++
// orders: set-first spin-first
// names: flag
#include <sched.h>

#include "adhoc/handover.h"

// The flag orders the payload, but is not atomic itself.
int flag;

NOINLINE static int is_set(void) { return flag; } // here

NOINLINE static void publish(void) {
  payload = 42;
  flag = 1; // here
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!is_set()) sched_yield();
  CONSUME(payload);
}

int main(void) { hand_over(publish, spin_and_use); }
