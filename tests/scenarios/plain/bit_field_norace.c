// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

// The unnamed field of width zero starts a new memory location.
struct flags {
  unsigned low : 3;
  unsigned : 0;
  unsigned high : 5;
} shared;

NOINLINE static void write_low(void) { shared.low = 1; }
NOINLINE static void write_high(void) { shared.high = 2; }

int main(void) { run_ordered(write_low, write_high); }
