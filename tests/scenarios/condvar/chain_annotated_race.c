// expect: data race
// orders: signal-first wait-first
// modes: hb hybrid msm-short msm-long
// with: passing.c waiting.c
// tsan: skip, the annotations header is not among its own
// names: payload
#include "condvar/handover.h"

#include "racert/annotations.h"

// The function that waits is in a third file, and the second only hands on; the
// declaration says what it does.
RACERT_WAITS_ON(1, 0)
void pass_on_elsewhere(pthread_mutex_t *mutex, pthread_cond_t *condition);

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  signal_ready();
  write_late();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  while (!ready) pass_on_elsewhere(&mutex, &condition);
  pthread_mutex_unlock(&mutex);
  after_signaller();
  USE(payload); // here
  take_step();
  return unused;
}

int main(void) { hand_over_late(publish, wait_and_use, write_late); }
