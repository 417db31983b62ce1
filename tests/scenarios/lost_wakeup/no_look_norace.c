// expect: none
// also: c++
// timeout: 300
#include "scenario.h"

// The waiter looks, and does not wait for a signal that was.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

NOINLINE static void *waiter(void *unused) {
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  take_step();
  pthread_join(thread, NULL);
}
