// expect: none
// also: c++
// One line of code called from two places, each with its suppression.
#include "suppressions.h"

const char *__tsan_default_suppressions(void) { return "race:^unwanted\nrace:^wanted\n"; }

int shared, other;

NOINLINE static void touch(int *what) {
  *what = 1;
}
NOINLINE static void unwanted(void) {
  touch(&shared);
  __asm__ volatile("");
}
NOINLINE static void wanted(void) {
  touch(&other);
  __asm__ volatile("");
}
NOINLINE static void both(void) {
  unwanted();
  wanted();
}

int main(void) { run_two(both, both); }
