// expect: data race
// tsan: skip, the annotations header is not among its own
// also: c++
// names: shared
#include "racert/annotations.h"
#include "scenario.h"

int shared;

NOINLINE static void first(void) {
  ANNOTATE_ENABLE_RACE_DETECTION(0);
  shared = 1; // here
  ANNOTATE_ENABLE_RACE_DETECTION(1);
}
NOINLINE static void second(void) {
  shared = 2; // here
}

int main(void) { run_two(first, second); }
