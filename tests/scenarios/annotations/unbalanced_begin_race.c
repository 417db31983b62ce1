// expect: unbalanced annotation
// also: c++
// names: writes are still ignored, thread T1 (name "forgetful")
// tsan: skip, it stops the program
#include "racert/annotations.h"
#include "scenario.h"

NOINLINE static void first(void) {
  ANNOTATE_THREAD_NAME("forgetful");
  ANNOTATE_IGNORE_WRITES_BEGIN(); // here
}
NOINLINE static void second(void) {}

int main(void) { run_two(first, second); }
