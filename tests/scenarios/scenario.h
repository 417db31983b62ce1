// What the scenarios share: two bodies, run by two threads in a forced order.
//
// The runner passes the order's name as the first argument of the program. In
// "first-second" the body named first runs to its end before the second starts,
// in "second-first" the other way round; "write-read", "read-write" and
// "write-write" pick from a writing and a reading body.
#ifndef SCENARIO_H
#define SCENARIO_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "invisible.h"

#define NOINLINE __attribute__((noinline, unused))
#define UNUSED __attribute__((unused))
#ifdef __cplusplus
#define EXTERN_C extern "C"
#else
#define EXTERN_C
#endif

// Keeps `value` alive without giving the optimiser anything to reason about.
#define CONSUME(value)                                     \
  do {                                                     \
    __typeof__(value) consumed = (value);                  \
    __asm__ volatile("" : : "r"(&consumed) : "memory");    \
  } while (0)

// Reads `lvalue` and writes it again: some detectors say nothing of one access.
#define USE(lvalue)     \
  do {                  \
    CONSUME(lvalue);    \
    (lvalue) = 0;       \
  } while (0)

typedef void body_fn(void);

// The name of the order asked for, "" if none was.
static const char *scenario_order = "";

__attribute__((constructor, disable_sanitizer_instrumentation, noinline)) static void
scenario_read_order(int argc, char **argv) {
  if (argc > 1) scenario_order = argv[1];
}

INVISIBLE static int ordered(const char *name) {
  const char *order = scenario_order;
  while (*order && *order == *name) ++order, ++name;
  return *order == *name;
}

// A started thread runs `body` as step number `turn` (from 0), if it has a turn.
struct actor {
  body_fn *body;
  int turn;
};

INVISIBLE static void wait_for_turn(const struct actor *actor) { wait_for_step(actor->turn); }

NOINLINE static void *act(void *argument) {
  const struct actor *actor = (const struct actor *)argument;
  wait_for_turn(actor);
  actor->body();
  take_step();
  return NULL;
}

// Both threads are alive before the first body starts and until both ended.
UNUSED static void run_two(body_fn *earlier, body_fn *later) {
  struct actor actors[2] = {{earlier, 0}, {later, 1}};
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, act, &actors[0]);
  pthread_create(&threads[1], NULL, act, &actors[1]);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

// As `run_two`, but the first thread is joined before the second is created.
UNUSED static void run_joined(body_fn *earlier, body_fn *later) {
  struct actor actors[2] = {{earlier, 0}, {later, 1}};
  pthread_t thread;
  pthread_create(&thread, NULL, act, &actors[0]);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, act, &actors[1]);
  pthread_join(thread, NULL);
}

NOINLINE static void *act_and_stay(void *argument) {
  act(argument);
  wait_for_step(2);
  return NULL;
}

// As `run_two`, but the first thread does not end before the second body did.
UNUSED static void run_held(body_fn *earlier, body_fn *later) {
  struct actor actors[2] = {{earlier, 0}, {later, 1}};
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, act_and_stay, &actors[0]);
  pthread_create(&threads[1], NULL, act, &actors[1]);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

// Runs the two bodies in the order asked for.
UNUSED static void run_ordered(body_fn *first, body_fn *second) {
  if (ordered("second-first"))
    run_two(second, first);
  else
    run_two(first, second);
}

typedef void run_fn(body_fn *, body_fn *);

// Gives a writing and a reading body to `run` as the order asks.
UNUSED static void run_accesses(run_fn *run, body_fn *write, body_fn *read) {
  if (ordered("read-write"))
    run(read, write);
  else if (ordered("write-write"))
    run(write, write);
  else
    run(write, read);
}

#endif
