// expect: data race
// orders: first-second second-first
// also: c++
// names: counter
#include "scenario.h"

long counter;

NOINLINE static void add_one(void) {
  counter += 1; // here
}
NOINLINE static void add_two(void) {
  counter += 2; // here
}

int main(void) { run_ordered(add_one, add_two); }
