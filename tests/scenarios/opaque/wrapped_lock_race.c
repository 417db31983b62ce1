// expect: possible data race
// expect hb: none
// orders: itself within again
// modes: hybrid hb
// also: c++
// library: plain shelf.c
// names: shared
// tsan: misses, the order of the locks hides it
// The library only wraps a lock, and what is done with it, here or by a function
// called from here, has nothing to do with the other section; nor if the library
// takes the lock once more meanwhile.
#include "scenario.h"

#include "opaque/shelf.h"

int shared, mine, yours;

NOINLINE static void count(int *counter) { *counter += 1; }

NOINLINE static void section(int *counter) {
  shelf_lock();
  if (ordered("within"))
    count(counter);
  else
    *counter += 1;
  if (ordered("again")) shelf_pass();
  shelf_unlock();
}

NOINLINE static void first(void) {
  shared = 1; // here
  section(&mine);
}
NOINLINE static void second(void) {
  section(&yours);
  shared = 2; // here
}

int main(void) { run_two(first, second); }
