// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

// Each thread uses its own stack; the addresses are reused one after the other.
NOINLINE static void fill(int value) {
  int locals[64];
  for (int i = 0; i < 64; ++i) locals[i] = value;
  CONSUME(locals[value]);
}
NOINLINE static void first(void) { fill(1); }
NOINLINE static void second(void) { fill(2); }

int main(void) {
  for (int round = 0; round < 20; ++round) run_joined(first, second);
  run_ordered(first, second);
}
