// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

int shared[101];

NOINLINE static void write_even(void) {
  for (int i = 0; i < 101; i += 2) shared[i] = i;
}
NOINLINE static void write_odd(void) {
  for (int i = 1; i < 101; i += 2) shared[i] = i;
}

int main(void) { run_ordered(write_even, write_odd); }
