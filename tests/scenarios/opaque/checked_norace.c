// expect: none
// orders: mutex asked
// modes: hybrid hb
// also: c++
// library: linked shelf.c
// The same library with checks hands over what the other made.
#include "scenario.h"

#include "opaque/shelf.h"

int shared;

NOINLINE static int is_wanted(void *thing) { return *(int *)thing == 1; }

NOINLINE static void first(void) {
  shared = 1;
  mutex_put(&shared);
}
NOINLINE static void second(void) {
  int *mine = (int *)(ordered("asked") ? mutex_take_if(is_wanted) : mutex_take());
  *mine += 1;
}

int main(void) { run_two(first, second); }
