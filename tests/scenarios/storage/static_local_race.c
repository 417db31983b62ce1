// expect: data race
// orders: first-second second-first
// also: c++
// names: counter
#include "scenario.h"

NOINLINE static void count(void) {
  static int counter;
  CONSUME(counter += 1); // here
}
NOINLINE static void first(void) { count(); }
NOINLINE static void second(void) { count(); }

int main(void) { run_ordered(first, second); }
