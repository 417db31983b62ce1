// expect: data race
// modes: hybrid hb
// also: c++
// library: plain shelf.c
// names: shared
// What the library calls with its lock held reads what is changed without it.
#include "scenario.h"

#include "opaque/shelf.h"

int shared;

NOINLINE static int is_wanted(void *thing) {
  return *(int *)thing == 1; // here
}

NOINLINE static void first(void) {
  mutex_put(&shared);
  shared = 1; // here
}
NOINLINE static void second(void) { mutex_take_if(is_wanted); }

int main(void) { run_two(first, second); }
