// expect: data race
// also: c++
// names: items
#include "scenario.h"

// A queue without locks hands over indices; the giver touches an item that it
// has given away.
enum { PLACES = 4 };
int items[PLACES];
unsigned places[PLACES], head, tail;

NOINLINE static void put(void) {
  items[2] = 1;
  unsigned end = __atomic_load_n(&tail, __ATOMIC_RELAXED);
  places[end % PLACES] = 2;
  __atomic_store_n(&tail, end + 1, __ATOMIC_RELEASE);
  items[2] = 3; // here
}
NOINLINE static void get(void) {
  unsigned start = __atomic_load_n(&head, __ATOMIC_RELAXED);
  if (__atomic_load_n(&tail, __ATOMIC_ACQUIRE) == start) return;
  unsigned at = places[start % PLACES];
  __atomic_store_n(&head, start + 1, __ATOMIC_RELEASE);
  CONSUME(items[at]); // here
}

int main(void) { run_two(put, get); }
