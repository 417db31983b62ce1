// expect: none
// also: c++
// orders: signal-first wait-first
#include <time.h>

#include "condvar/handover.h"

NOINLINE static void publish(void) {
  payload = 42;
  signal_ready();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  struct timespec late = {0x7fffffff, 0};
  while (!ready)
    if (pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &late)) abort();
  pthread_mutex_unlock(&mutex);
  CONSUME(payload);
  return unused;
}

int main(void) { hand_over(publish, wait_and_use); }
