// expect: none
// also: c++
#include "scenario.h"

// Sequentially consistent on both sides.
int flag, payload;

NOINLINE static void publish(void) {
  payload = 42;
  __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
}
NOINLINE static void use(void) {
  if (__atomic_load_n(&flag, __ATOMIC_SEQ_CST) != 1) abort();
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
