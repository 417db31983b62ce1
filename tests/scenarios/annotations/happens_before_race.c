// expect: data race
// tsan: skip, the annotations header is not among its own
// also: c++
// names: shared
#include "racert/annotations.h"
#include "scenario.h"

int shared, channel, other;

NOINLINE static void first(void) {
  ANNOTATE_HAPPENS_BEFORE(&channel);
  shared = 1; // here
  ANNOTATE_HAPPENS_BEFORE(&other);
}
NOINLINE static void second(void) {
  ANNOTATE_HAPPENS_AFTER(&channel);
  shared = 2; // here
}

int main(void) { run_two(first, second); }
