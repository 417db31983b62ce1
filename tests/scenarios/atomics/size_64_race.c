// expect: data race
// also: c++
// names: payload
#include "scenario.h"

long flag;
int payload;

NOINLINE static void publish(void) {
  payload = 42; // here
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
}
NOINLINE static void use(void) {
  if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) != 1) abort();
  CONSUME(payload); // here
}

int main(void) { run_two(publish, use); }
