// expect: data race
// also: c++
// orders: signal-first wait-first
// names: payload
#include "condvar/handover.h"

struct queue {
  pthread_cond_t *changed;
  int *count;
};
static struct queue queue = {&condition, &ready};

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  signal_ready();
  write_late();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  struct queue *mine = &queue;
  while (*mine->count == 0) {
    struct queue *waits = mine;
    pthread_cond_wait(waits->changed, &mutex);
  }
  pthread_mutex_unlock(&mutex);
  after_signaller();
  USE(payload); // here
  take_step();
  return unused;
}

int main(void) { hand_over_late(publish, wait_and_use, write_late); }
