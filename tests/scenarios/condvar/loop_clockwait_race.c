// expect: data race
// also: c++
// orders: signal-first wait-first
// names: payload
#include <time.h>

#include "condvar/handover.h"

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  signal_ready();
  write_late();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  struct timespec late = {0x7fffffff, 0};
  while (!ready)
    if (pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &late)) abort();
  pthread_mutex_unlock(&mutex);
  after_signaller();
  USE(payload); // here
  take_step();
  return unused;
}

int main(void) { hand_over_late(publish, wait_and_use, write_late); }
