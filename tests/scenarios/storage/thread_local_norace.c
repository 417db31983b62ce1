// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

__thread int own[4];

NOINLINE static void first(void) { own[1] = 1; }
NOINLINE static void second(void) { own[1] = 2; }

int main(void) {
  own[1] = 3;
  for (int round = 0; round < 20; ++round) run_joined(first, second);
  run_ordered(first, second);
  CONSUME(own[1]);
}
