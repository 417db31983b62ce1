// expect: none
// tsan: skip, the annotations header is not among its own
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

int shared;

NOINLINE static void first(void) { shared = 1; }
NOINLINE static void second(void) {
  ANNOTATE_ENABLE_RACE_DETECTION(0);
  shared = 2;
  ANNOTATE_ENABLE_RACE_DETECTION(1);
}

int main(void) { run_two(first, second); }
