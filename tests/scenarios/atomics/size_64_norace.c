// expect: none
// also: c++
#include "scenario.h"

long flag;
int payload;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}
NOINLINE static void use(void) {
  if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) != 1) abort();
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
