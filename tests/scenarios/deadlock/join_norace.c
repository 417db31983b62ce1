// expect: none
// also: c++
#include "scenario.h"

// The lock is given back before the join.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void *worker(void *argument) {
  wait_for_step(1);
  take_step();
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&mutex);
  take_step();
  wait_for_step(2);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
