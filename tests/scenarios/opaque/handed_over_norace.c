// expect: none
// orders: mutex asked rwlock left spin c11 last
// modes: hybrid hb
// also: c++
// library: plain shelf.c
// A library whose accesses nobody sees hands over what the other made.
#include "opaque/all_ways.h"

NOINLINE static void first(void) {
  shared = 1;
  put();
}
NOINLINE static void second(void) {
  int *mine = take();
  if (mine) *mine += 1;
}

int main(void) { run_two(first, second); }
