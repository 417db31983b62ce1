// expect: deadlock
// also: c++
// names: mutex 'mutex', mutex 'other'
// timeout: 300
// reports: any
// tsan: skip, it hangs
#include "scenario.h"

// A thread waits on the condition variable and keeps a second lock, which the
// one that should signal wants first.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

NOINLINE static void *waiter(void *argument) {
  pthread_mutex_lock(&other); // here
  pthread_mutex_lock(&mutex);
  take_step();
  while (!ready) pthread_cond_wait(&condition, &mutex); // here
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&other);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  wait_for_step(1);
  pthread_mutex_lock(&mutex); // here
  pthread_mutex_lock(&other); // here
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
