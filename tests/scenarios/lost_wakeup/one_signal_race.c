// expect: lost wake-up
// also: c++
// names: condition variable 'condition', went to another wait
// timeout: 300
// tsan: skip, it hangs
#include "scenario.h"

// Two threads wait for the same condition, and only one of them is signalled.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

NOINLINE static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
  take_step();
  while (!ready) pthread_cond_wait(&condition, &mutex); // here
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, waiter, NULL);
  pthread_create(&threads[1], NULL, waiter, NULL);
  wait_for_step(2);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition); // here
  pthread_mutex_unlock(&mutex);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
