// expect: data race
// orders: first-second second-first
// library: linked counter.c
// names: library_counter
// Both accesses are the program's own; the library only has the variable.
#include "scenario.h"

extern int library_counter;
void library_count(void);

const char *__tsan_default_options(void);
const char *__tsan_default_suppressions(void);
const char *__tsan_default_options(void) { return "print_suppressions=0"; }
const char *__tsan_default_suppressions(void) { return "called_from_lib:counter"; }

NOINLINE static void first(void) {
  library_counter = 6; // here
}
NOINLINE static void second(void) {
  library_counter = 7; // here
}

int main(void) {
  library_count();
  run_ordered(first, second);
}
