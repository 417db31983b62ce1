// expect: none
// orders: first-second second-first
// modes: hybrid hb
// also: c++
// library: plain shelf.c
// The library only wraps a lock; what both do with it is ordered.
#include "scenario.h"

#include "opaque/shelf.h"

int shared;

NOINLINE static void first(void) {
  shelf_lock();
  shared = 1;
  shelf_unlock();
}
NOINLINE static void second(void) {
  shelf_lock();
  shared = 2;
  shelf_unlock();
}

int main(void) { run_ordered(first, second); }
