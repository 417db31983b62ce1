// `shared` given to the shelf and taken from it, in the way that the order says.
#ifndef OPAQUE_ALL_WAYS_H
#define OPAQUE_ALL_WAYS_H

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

#endif
