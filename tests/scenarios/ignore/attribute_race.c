// expect: data race
// also: c++
// names: shared, noticed
#include "scenario.h"

// Only the function with the attribute is left alone.
int shared;

NOINLINE static void noticed(void) {
  shared = 1; // here
}
NOINLINE static void also_noticed(void) {
  shared = 2; // here
}
__attribute__((no_sanitize("thread"))) NOINLINE static void left_alone(void) { shared = 3; }

NOINLINE static void first(void) {
  left_alone();
  noticed();
}

int main(void) { run_two(first, also_noticed); }
