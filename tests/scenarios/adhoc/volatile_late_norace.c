// expect: none
// also: c++
// orders: set-first spin-first
#include "adhoc/handover.h"

// What is written behind the flag is not what the spinner reads.
int flag, late;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  late = 42;
}
NOINLINE static void spin_and_use(void) {
  arrive();
  while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
  CONSUME(payload);
}

int main(void) { hand_over(publish, spin_and_use); }
