// expect: ad-hoc synchronisation on a non-atomic variable, possible data race
// expect hb: data race
// modes: hb hybrid msm-short
// reports: any
// with: setting.c
// orders: set-first
// names: flag, payload
// tsan: skip, it reports the flag and not the payload
#include <sched.h>

#include "adhoc/handover.h"

// The flag is written in front of the payload and behind it, in another file.
// Only the first store is known, so the order of the second and the payload is
// not.
int flag;

void set_twice_elsewhere(volatile int *flag, int *payload);

NOINLINE static void publish(void) { set_twice_elsewhere(&flag, &payload); }
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!flag) sched_yield(); // here
  after_setter();
  CONSUME(payload); // here
}

int main(void) { hand_over(publish, spin_and_use); }
