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
  for (int done = 0; !done;) switch (ready) {
      case 0:
        pthread_cond_wait(&condition, &mutex);
        break;
      default:
        done = 1;
    }
  pthread_mutex_unlock(&mutex);
  CONSUME(payload);
  return unused;
}

int main(void) { hand_over(publish, wait_and_use); }
