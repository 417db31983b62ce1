// One thread hands a payload to another through a flag that it sets and the
// other spins on, set before the other arrives or while it spins.
#ifndef ADHOC_HANDOVER_H
#define ADHOC_HANDOVER_H

#include "scenario.h"

int payload;

INVISIBLE static int set_first(void) { return ordered("set-first"); }
INVISIBLE static void arrive(void) {
  if (set_first())
    wait_for_step(1);
  else
    take_step();
}
// Everything the other did has been done, as far as the clock on the wall is
// concerned.
INVISIBLE static void after_setter(void) { wait_for_step(set_first() ? 1 : 2); }

UNUSED static void hand_over(body_fn *publish, body_fn *spin_and_use) {
  struct actor spinner = {spin_and_use, 0};
  pthread_t thread;
  pthread_create(&thread, NULL, act, &spinner);
  if (!set_first()) wait_for_step(1);
  publish();
  take_step();
  pthread_join(thread, NULL);
}

// As `hand_over`, for those that race: what is written too late is written once
// more after its use, because some detectors say nothing the first time.
UNUSED static void hand_over_late(body_fn *publish, body_fn *spin_and_use,
                                  body_fn *write_late) {
  struct actor spinner = {spin_and_use, 0};
  pthread_t thread;
  pthread_create(&thread, NULL, act, &spinner);
  if (!set_first()) wait_for_step(1);
  publish();
  take_step();
  wait_for_step(set_first() ? 2 : 3);
  write_late();
  pthread_join(thread, NULL);
}

#endif
