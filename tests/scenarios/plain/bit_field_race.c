// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
#include "scenario.h"

// Both fields are in one memory location, so writing one writes the other.
struct flags {
  unsigned low : 3;
  unsigned high : 5;
} shared;

NOINLINE static void write_low(void) {
  shared.low = 1; // here
}
NOINLINE static void write_high(void) {
  shared.high = 2; // here
}

int main(void) { run_ordered(write_low, write_high); }
