// expect: none
// also: c++
// orders: signal-first wait-first
#include "condvar/handover.h"

struct queue {
  pthread_cond_t *changed;
  int *count;
};
static struct queue queue = {&condition, &ready};

NOINLINE static void publish(void) {
  payload = 42;
  signal_ready();
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  struct queue *mine = &queue;
  while (*mine->count == 0) {
    struct queue *waits = mine;
    pthread_cond_wait(waits->changed, &mutex);
  }
  pthread_mutex_unlock(&mutex);
  CONSUME(payload);
  return unused;
}

int main(void) { hand_over(publish, wait_and_use); }
