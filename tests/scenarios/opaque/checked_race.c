// expect: possible data race
// expect hb: none
// modes: hybrid hb
// also: c++
// library: linked shelf.c
// names: shared
// tsan: misses, the order of the locks hides it
// The same library with checks, which know that its sections touch nothing.
#include "scenario.h"

#include "opaque/shelf.h"

int shared;

NOINLINE static void first(void) {
  shared = 1; // here
  shelf_pass();
}
NOINLINE static void second(void) {
  shelf_pass();
  shared = 2; // here
}

int main(void) { run_two(first, second); }
