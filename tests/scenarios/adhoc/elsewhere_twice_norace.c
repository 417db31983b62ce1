// expect: none
// with: setting.c
// orders: set-first spin-first
#include <sched.h>

#include "adhoc/handover.h"

// The same with an atomic flag: now the order is known.
int flag;

void set_atomic_twice_elsewhere(int *flag, int *payload);

NOINLINE static void publish(void) { set_atomic_twice_elsewhere(&flag, &payload); }
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) sched_yield();
  CONSUME(payload);
}

int main(void) { hand_over(publish, spin_and_use); }
