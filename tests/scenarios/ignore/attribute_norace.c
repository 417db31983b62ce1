// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

int shared, other;

__attribute__((no_sanitize("thread"))) NOINLINE static void left_alone(void) { shared = 1; }
__attribute__((disable_sanitizer_instrumentation)) NOINLINE static void untouched(void) {
  other = 1;
}
NOINLINE static void first(void) {
  left_alone();
  untouched();
}
NOINLINE static void second(void) {
  shared = 2;
  other = 2;
}

int main(void) { run_ordered(first, second); }
