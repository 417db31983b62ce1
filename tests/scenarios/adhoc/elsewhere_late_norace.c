// expect: none
// with: setting.c
// orders: set-first spin-first
#include <sched.h>

#include "adhoc/handover.h"

// What is written behind the flag, in another file, is not what the spinner
// reads.
int flag, late;

void set_atomic_elsewhere(int *flag, int *payload);

NOINLINE static void publish(void) {
  set_atomic_elsewhere(&flag, &payload);
  late = 42;
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) sched_yield();
  after_setter();
  CONSUME(payload);
}

int main(void) { hand_over(publish, spin_and_use); }
