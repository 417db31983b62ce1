// Runs loops that wait, with the condition true from the beginning (the lost
// signal) and becoming true while they wait, and compares what the hooks at
// their exits said.
#pragma once
#include "../mock/waits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int waited, wakes_after, result_at_end;
static int *set_at_end;
static int wrong;

__attribute__((disable_sanitizer_instrumentation, noinline)) static int arrive(void *c, void *m) {
  (void)c, (void)m;
  if (++waited < wakes_after)
    return 0;
  if (waited > 100000000) {
    printf("waits for ever\n");
    exit(1);
  }
  if (set_at_end)
    *set_at_end = 1;
  return result_at_end;
}

struct expectation {
  const char *name;
  int line;
  void *condvar, *mutex;
  unsigned flags;
  void *address[4];
};

__attribute__((disable_sanitizer_instrumentation, noinline)) static void
compare(const struct expectation *e, int spin) {
  struct left *left = &waits.left[0];
  int expected = 0, found = 0;
  for (int i = 0; i < 4 && e->address[i]; i++) {
    expected++;
    for (int j = 0; j < left->count; j++)
      found += left->address[j] == e->address[i];
  }
  if (waits.exits == 1 && left->spin == spin && left->condvar == e->condvar &&
      left->mutex == e->mutex && left->flags == e->flags && left->count == expected &&
      found == expected && waits.depth == 0)
    return;
  wrong++;
  printf("line %d: %s: %d exits", e->line, e->name, waits.exits);
  if (waits.exits)
    printf(", spin %d, condvar %p, mutex %p, flags %u, %d addresses (%d of %d right), depth %d",
           left->spin, left->condvar, left->mutex, left->flags, left->count, found, expected,
           waits.depth);
  printf("\n");
}

__attribute__((disable_sanitizer_instrumentation, noinline)) static void prepare(int after, int *set,
                                                                                int result) {
  memset(&waits, 0, sizeof waits);
  on_wait = arrive;
  waited = 0, wakes_after = after, set_at_end = set, result_at_end = result;
}
