// expect: none
// opt: O0 O2
// timeout: 300
#include "scenario.h"

enum { WORDS = 1 << 17 };
int shared, epoch;
volatile long others[WORDS];

NOINLINE static void first(void) {
  shared = 1;
  for (int i = 0; i < 10000000; ++i) {
    if (i % WORDS == 0) __atomic_store_n(&epoch, i, __ATOMIC_RELEASE);
    others[i % WORDS] = i;
  }
}
NOINLINE static void second(void) {
  shared = 2;
  others[8] = 3;
}

int main(void) { run_joined(first, second); }
