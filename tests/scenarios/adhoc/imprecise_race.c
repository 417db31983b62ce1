// expect: data race
// also: c++
// options: precise=0
// modes: msm-short
// reports: any
// orders: set-first spin-first
// names: payload
// tsan: skip, it reports the flag and not the payload
#include <sched.h>

#include "adhoc/handover.h"

// Without precision a loop that watches a flag comes after nobody, as in the
// papers: the flag and what it hands over are both reported.
int flag;

NOINLINE static void publish(void) {
  payload = 42; // here
  flag = 1; // here
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!flag) sched_yield(); // here
  CONSUME(payload); // here
}

int main(void) { hand_over(publish, spin_and_use); }
