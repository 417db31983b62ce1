// expect: none
// advice: wait on a condition variable outside a loop
// also: c++
// names: condition variable 'condition'
#include "scenario.h"

// The thread goes on however the wait ended.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, payload;

NOINLINE static void publish(void) {
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  payload = 42;
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
}
static void *wait_and_use(void *unused) {
  pthread_mutex_lock(&mutex);
  take_step();
  if (!ready) pthread_cond_wait(&condition, &mutex); // here
  CONSUME(payload);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_and_use, NULL);
  publish();
  pthread_join(thread, NULL);
}
