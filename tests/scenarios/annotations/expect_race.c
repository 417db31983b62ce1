// expect: expected race did not happen
// also: c++
// names: two ordered writes
// tsan: misses, an unmet expectation is only printed
#include "racert/annotations.h"
#include "scenario.h"

int shared;

NOINLINE static void first(void) { shared = 1; }
NOINLINE static void second(void) { shared = 2; }

int main(void) {
  ANNOTATE_EXPECT_RACE(&shared, "two ordered writes"); // here
  run_joined(first, second);
}
