// expect: data race
// orders: first-second second-first
// also: c++
// names: low, high
// reports: 2
#include "scenario.h"

// Two races in one aligned word: the first must not hide the second.
struct {
  volatile int low, high;
} halves __attribute__((aligned(8)));

NOINLINE static void write_low(void) {
  halves.low = 1; // here
}
NOINLINE static void write_high(void) {
  halves.high = 1; // here
}
NOINLINE static void write_both(void) {
  write_low();
  write_high();
}
NOINLINE static void read_low(void) {
  CONSUME(halves.low); // here
}
NOINLINE static void read_high(void) {
  CONSUME(halves.high); // here
}
NOINLINE static void read_both(void) {
  read_low();
  read_high();
}

int main(void) { run_ordered(write_both, read_both); }
