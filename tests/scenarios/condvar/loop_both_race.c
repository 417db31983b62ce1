// expect: data race
// also: c++
// orders: signal-first wait-first
// names: payload
#include "condvar/handover.h"

// Both have to hold; nobody writes the second.
int enabled = 1;

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  signal_ready();
  write_late();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  for (;;) {
    if (ready)
      if (enabled) break;
    pthread_cond_wait(&condition, &mutex);
  }
  pthread_mutex_unlock(&mutex);
  after_signaller();
  USE(payload); // here
  take_step();
  return unused;
}

int main(void) { hand_over_late(publish, wait_and_use, write_late); }
