// expect: unbalanced annotation
// also: c++
// names: reads, not begun, thread T1
// tsan: skip, it stops the program
#include "racert/annotations.h"
#include "scenario.h"

NOINLINE static void first(void) {
  ANNOTATE_IGNORE_WRITES_BEGIN();
  ANNOTATE_IGNORE_READS_END(); // here
  ANNOTATE_IGNORE_WRITES_END();
}
NOINLINE static void second(void) {}

int main(void) { run_two(first, second); }
