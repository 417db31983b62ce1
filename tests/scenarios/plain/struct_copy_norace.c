// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

struct record {
  long fields[5];
} shared[2], source;

NOINLINE static void copy_first(void) { shared[0] = source; }
NOINLINE static void copy_second(void) { shared[1] = source; }

int main(void) { run_ordered(copy_first, copy_second); }
