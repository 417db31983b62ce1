// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

volatile char shared[8] __attribute__((aligned(8)));

NOINLINE static void write_first(void) {
  for (int i = 0; i < 8; i += 2) shared[i] = 1;
}
NOINLINE static void write_second(void) {
  for (int i = 1; i < 8; i += 2) shared[i] = 1;
}

int main(void) { run_ordered(write_first, write_second); }
