// expect: none
// modes: hybrid hb
// also: c++
// library: plain shelf.c
// A library uses and closes a descriptor of its own.
#include "scenario.h"

#include "opaque/shelf.h"

NOINLINE static void first(void) { shelf_use(); }
NOINLINE static void second(void) { shelf_close(); }

int main(void) {
  shelf_open();
  run_two(first, second);
}
