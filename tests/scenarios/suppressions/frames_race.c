// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
// tsan: skip, patterns over several frames are racert's own
#include "suppressions.h"

const char *__tsan_default_suppressions(void) { return "race_stack:writer <- act\nrace_stack:writer <- first; writer\n"; }

int shared;

NOINLINE static void writer(void) {
  shared = 1; // here
}
NOINLINE static void reader(void) {
  CONSUME(shared); // here
}
NOINLINE static void first(void) {
  writer();
  __asm__ volatile("");
}
NOINLINE static void second(void) {
  reader();
  __asm__ volatile("");
}

int main(void) { run_ordered(first, second); }
