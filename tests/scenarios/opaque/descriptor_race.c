// expect: race on a file descriptor
// modes: hybrid hb
// also: c++
// library: plain shelf.c
// The program closes a descriptor that the library uses.
#include <unistd.h>

#include "scenario.h"

#include "opaque/shelf.h"

static int descriptor;

NOINLINE static void first(void) { shelf_use(); }
NOINLINE static void second(void) {
  close(descriptor); // here
}

int main(void) {
  descriptor = shelf_open();
  run_two(first, second);
}
