// expect: data race
// orders: mutex rwlock left spin c11 last
// modes: hybrid hb
// also: c++
// library: plain shelf.c
// names: shared
// It is changed again after it was handed over.
#include "opaque/all_ways.h"

NOINLINE static void first(void) {
  put();
  shared = 1; // here
}
NOINLINE static void second(void) {
  int *mine = take();
  if (mine) *mine += 1; // here
}

int main(void) { run_two(first, second); }
