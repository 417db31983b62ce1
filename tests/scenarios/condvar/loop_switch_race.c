// expect: data race
// also: c++
// orders: signal-first wait-first
// names: payload
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
  for (int done = 0; !done;) switch (ready) {
      case 0:
        pthread_cond_wait(&condition, &mutex);
        break;
      default:
        done = 1;
    }
  pthread_mutex_unlock(&mutex);
  after_signaller();
  USE(payload); // here
  take_step();
  return unused;
}

int main(void) { hand_over_late(publish, wait_and_use, write_late); }
