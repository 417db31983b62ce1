// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

NOINLINE static int limit(void) {
  static const int limits[] = {1, 2, 3};
  return limits[1];
}
NOINLINE static void first(void) { CONSUME(limit()); }
NOINLINE static void second(void) { CONSUME(limit()); }

int main(void) { run_ordered(first, second); }
