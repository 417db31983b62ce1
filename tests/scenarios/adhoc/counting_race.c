// expect: data race
// expect msm-long: none
// also: c++
// names: payload
#include "scenario.h"

// A loop that counts up to a shared number waits for nobody.
int limit, table[16], payload;

NOINLINE static void publish(void) {
  payload = 42; // here
  __atomic_store_n(&limit, 16, __ATOMIC_RELAXED);
}
NOINLINE static void count(void) {
  int sum = 0;
  for (int i = 0; i < __atomic_load_n(&limit, __ATOMIC_RELAXED); ++i) sum += table[i];
  CONSUME(sum);
  CONSUME(payload); // here
}

int main(void) { run_two(publish, count); }
