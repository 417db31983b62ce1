// expect: data race
// orders: first-second second-first
// opt: O0 O2
// names: shared
// tsan: misses: the first access has left its history
// timeout: 120
#include "scenario.h"

// Ten million other accesses of the same thread follow the racy one.
int shared;
volatile char others[1 << 16];

NOINLINE static void make_accesses(void) {
  for (int i = 0; i < 10000000; ++i) others[(i * 8) & 0xffff] = (char)i;
}
NOINLINE static void first(void) {
  shared = 1; // here
  if (ordered("first-second")) make_accesses();
}
NOINLINE static void second(void) {
  shared = 2; // here
  if (ordered("second-first")) make_accesses();
}

int main(void) { run_ordered(first, second); }
