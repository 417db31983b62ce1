// expect: none
// also: c++
// orders: signal-first wait-first
#include "condvar/handover.h"

// Both have to hold; nobody writes the second.
int enabled = 1;

NOINLINE static void publish(void) {
  payload = 42;
  signal_ready();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  for (;;) {
    if (ready)
      if (enabled) break;
    pthread_cond_wait(&condition, &mutex);
  }
  pthread_mutex_unlock(&mutex);
  CONSUME(payload);
  return unused;
}

int main(void) { hand_over(publish, wait_and_use); }
