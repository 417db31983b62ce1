// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

// Each thread has a half of the aligned word to itself.
struct {
  volatile int low, high;
} halves __attribute__((aligned(8)));

NOINLINE static void change_low(void) {
  halves.low = halves.low + 1;
}
NOINLINE static void change_high(void) {
  halves.high = halves.high + 1;
}

int main(void) { run_ordered(change_low, change_high); }
