// expect: none
// also: c++
#include "scenario.h"

// Exchange with release, exchange with acquire.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_exchange_n(&flag, 1, __ATOMIC_RELEASE);
}
NOINLINE static void use(void) {
  if (__atomic_exchange_n(&flag, 0, __ATOMIC_ACQUIRE) != 1) abort();
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
