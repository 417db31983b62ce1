// expect: none
// also: c++
// tsan: skip, the annotations header is not among its own
#include "racert/annotations.h"
#include "scenario.h"

NOINLINE static void first(void) {
  ANNOTATE_THREAD_NAME("forgetful");
  ANNOTATE_IGNORE_WRITES_BEGIN();
  ANNOTATE_IGNORE_WRITES_END();
}
NOINLINE static void second(void) {}

int main(void) { run_two(first, second); }
