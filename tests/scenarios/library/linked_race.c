// expect: data race
// orders: first-second second-first
// library: linked counter.c
// names: library_count, counter.c:5
#include "scenario.h"

extern int library_counter;
void library_count(void);

NOINLINE static void in_library(void) { library_count(); }
NOINLINE static void in_program(void) {
  library_counter = 7; // here
}

int main(void) { run_ordered(in_library, in_program); }
