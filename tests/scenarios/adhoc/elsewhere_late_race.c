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

// The payload is written behind the flag, in another file. All of it is done when
// the loop begins: a loop that is left in between proves the race.
int flag;

void set_early_elsewhere(int *flag, int *payload);

NOINLINE static void publish(void) { set_early_elsewhere(&flag, &payload); }
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!flag) sched_yield(); // here
  after_setter();
  CONSUME(payload); // here
}

int main(void) { hand_over(publish, spin_and_use); }
