// expect: data race
// orders: signal-first wait-first
// library: linked waiting.c
// tsan: skip, the annotations header is not among its own
// names: payload
#include "condvar/handover.h"

#include "racert/annotations.h"

RACERT_WAITS_ON(1, 0)
EXTERN_C void wait_elsewhere(pthread_mutex_t *mutex, pthread_cond_t *condition);

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  signal_ready();
  write_late();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  while (!ready) wait_elsewhere(&mutex, &condition);
  pthread_mutex_unlock(&mutex);
  after_signaller();
  USE(payload); // here
  take_step();
  return unused;
}

int main(void) { hand_over_late(publish, wait_and_use, write_late); }
