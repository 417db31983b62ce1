// One thread hands a payload to another through a condition variable, the
// signal coming before the waiter arrives (lost) or while it waits.
#ifndef HANDOVER_H
#define HANDOVER_H

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, payload;

INVISIBLE static int signal_first(void) { return ordered("signal-first"); }

// The waiter's lock; with "wait-first" the signaller starts behind it and so
// gets the mutex when the waiter waits.
UNUSED static void lock_to_wait(void) {
  if (signal_first()) wait_for_step(1);
  pthread_mutex_lock(&mutex);
  if (!signal_first()) take_step();
}

UNUSED static void signal_ready(void) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
}

// Everything the signaller does has been done, as far as the clock on the
// wall is concerned.
INVISIBLE static void after_signaller(void) { wait_for_step(signal_first() ? 1 : 2); }

UNUSED static void hand_over(body_fn *publish, void *(*wait_and_use)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_and_use, NULL);
  if (!signal_first()) wait_for_step(1);
  publish();
  take_step();
  pthread_join(thread, NULL);
}

// As `hand_over`, for those that race: what is written too late is written once
// more after its use, because some detectors say nothing the first time.
UNUSED static void hand_over_late(body_fn *publish, void *(*wait_and_use)(void *),
                                  body_fn *write_late) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_and_use, NULL);
  if (!signal_first()) wait_for_step(1);
  publish();
  take_step();
  wait_for_step(signal_first() ? 2 : 3);
  write_late();
  pthread_join(thread, NULL);
}

#endif
