// expect: none
// also: c++
// exit: 66
// tsan: skip, it announces a report before it prints it and exits with 66
// Nothing to tell; the program fails for reasons of its own.
#include "scenario.h"
#include "tsan_interface.h"

int shared;
static int told;

NOINLINE static void first(void) {
  shared = 1;
}
NOINLINE static void second(void) {
  shared = 2;
}

void __tsan_on_report(void *report) {
  (void)report;
  told = 1;
}

int __tsan_on_finalize(int failed) {
  (void)failed;
  if (told) abort();
  return 1;
}

int main(void) {
  run_joined(first, second);
  return 0;
}
