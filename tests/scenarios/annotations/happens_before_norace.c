// expect: none
// tsan: skip, the annotations header is not among its own
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

int shared, channel;

NOINLINE static void first(void) {
  shared = 1;
  ANNOTATE_HAPPENS_BEFORE(&channel);
}
NOINLINE static void second(void) {
  ANNOTATE_HAPPENS_AFTER(&channel);
  shared = 2;
}

int main(void) { run_two(first, second); }
