// expect: none
// tsan: skip, the annotations header is not among its own
// orders: first-second second-first
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

int shared;

NOINLINE static void first(void) { shared = 1; }
NOINLINE static void second(void) { shared = 2; }

int main(void) {
  ANNOTATE_EXPECT_RACE(&shared, "two plain writes");
  run_ordered(first, second);
  ANNOTATE_FLUSH_EXPECTED_RACES();
}
