// expect: data race
// tsan: skip, the annotations header is not among its own
// also: c++
// names: published
#include "racert/annotations.h"
#include "scenario.h"

long published[4];

NOINLINE static void first(void) {
  published[1] = 1;
  ANNOTATE_PUBLISH_MEMORY_RANGE(published, sizeof(published));
  published[1] = 2; // here
}
NOINLINE static void second(void) {
  published[1] = 3; // here
}

int main(void) { run_two(first, second); }
