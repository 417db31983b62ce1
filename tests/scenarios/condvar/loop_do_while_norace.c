// expect: none
// also: c++
// orders: signal-first wait-first
#include "condvar/handover.h"

NOINLINE static void publish(void) {
  payload = 42;
  signal_ready();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  if (!ready)
    do
      pthread_cond_wait(&condition, &mutex);
    while (!ready);
  pthread_mutex_unlock(&mutex);
  CONSUME(payload);
  return unused;
}

int main(void) { hand_over(publish, wait_and_use); }
