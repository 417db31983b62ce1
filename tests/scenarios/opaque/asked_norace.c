// expect: none
// modes: hybrid hb
// also: c++
// library: plain shelf.c
// The library calls the program with its lock held, for something else than
// what it hands over.
#include "scenario.h"

#include "opaque/shelf.h"

int shared, other;

NOINLINE static int is_wanted(void *thing) {
  CONSUME(thing);
  other += 1;
  return 1;
}

NOINLINE static void first(void) {
  shared = 1;
  mutex_put(&shared);
}
NOINLINE static void second(void) {
  int *mine = (int *)mutex_take_if(is_wanted);
  *mine += 1;
}

int main(void) { run_two(first, second); }
