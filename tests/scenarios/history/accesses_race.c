// expect: data race
// orders: first-second second-first
// opt: O0 O2
// names: shared
// tsan: misses: the first access has left its history
// timeout: 300
#include "scenario.h"

// Ten million other accesses of the same thread follow the racy one. Each is new
// to the detector: an address comes back only after a release has begun a new
// epoch, so none is the repetition of an access already recorded.
enum { WORDS = 1 << 17 };
int shared, epoch[2];
volatile long others[2][WORDS];

NOINLINE static void make_accesses(int own) {
  for (int i = 0; i < 10000000; ++i) {
    if (i % WORDS == 0) __atomic_store_n(&epoch[own], i, __ATOMIC_RELEASE);
    others[own][i % WORDS] = i;
  }
}
NOINLINE static void first(void) {
  shared = 1; // here
  if (ordered("first-second")) make_accesses(0);
}
NOINLINE static void second(void) {
  shared = 2; // here
  if (ordered("second-first")) make_accesses(1);
}

int main(void) { run_ordered(first, second); }
