// expect: none
// orders: mutex asked rwlock left spin c11 last
// modes: hybrid hb
// also: c++
// library: plain shelf.c
// A library whose accesses nobody sees hands over what the other made.
#include "scenario.h"

#include "opaque/shelf.h"

int shared;

NOINLINE static int is_wanted(void *thing) { return *(int *)thing == 1; }

NOINLINE static void put(void) {
  if (ordered("rwlock"))
    rwlock_put(&shared);
  else if (ordered("left"))
    rwlock_leave();
  else if (ordered("spin"))
    spin_put(&shared);
  else if (ordered("c11"))
    c11_put(&shared);
  else if (ordered("last"))
    last_put(&shared);
  else
    mutex_put(&shared);
}

NOINLINE static int *take(void) {
  if (ordered("rwlock")) return (int *)rwlock_take();
  if (ordered("left")) return rwlock_left() ? &shared : NULL;
  if (ordered("spin")) return (int *)spin_take();
  if (ordered("c11")) return (int *)c11_take();
  if (ordered("last")) return last_take() == 0 ? &shared : NULL;
  if (ordered("asked")) return (int *)mutex_take_if(is_wanted);
  return (int *)mutex_take();
}

NOINLINE static void first(void) {
  shared = 1;
  put();
}
NOINLINE static void second(void) {
  int *mine = take();
  if (mine) *mine += 1;
}

int main(void) { run_two(first, second); }
