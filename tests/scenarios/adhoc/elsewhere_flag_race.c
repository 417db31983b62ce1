// expect: ad-hoc synchronisation on a non-atomic variable
// expect hb: data race
// modes: hb hybrid msm-short msm-long
// reports: any
// with: setting.c
// orders: set-first spin-first
// names: flag
#include <sched.h>

#include "adhoc/handover.h"

// The flag orders the payload, but is not atomic itself; it is set in another
// file.
int flag;

void set_elsewhere(int *flag, int *payload);

NOINLINE static void publish(void) { set_elsewhere(&flag, &payload); }
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!flag) sched_yield(); // here
  CONSUME(payload);
}

int main(void) { hand_over(publish, spin_and_use); }
