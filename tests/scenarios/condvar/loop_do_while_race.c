// expect: data race
// also: c++
// orders: signal-first wait-first
// names: payload
#include "condvar/handover.h"

NOINLINE static void publish(void) {
  signal_ready();
  payload = 42; // here
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  if (!ready)
    do
      pthread_cond_wait(&condition, &mutex);
    while (!ready);
  pthread_mutex_unlock(&mutex);
  after_signaller();
  CONSUME(payload); // here
  return unused;
}

int main(void) { hand_over(publish, wait_and_use); }
