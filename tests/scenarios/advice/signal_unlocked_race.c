// expect: none
// advice: signal of a condition variable without its mutex
// also: c++
// names: condition variable 'condition', mutex 'mutex', changes a condition without mutex 'mutex'
#include "scenario.h"

// The flag is atomic, so there is no race; but a waiter that has just looked
// at it sleeps through the signal.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
  take_step();
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) pthread_cond_wait(&condition, &mutex); // here
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE); // here
  pthread_cond_signal(&condition); // here
  pthread_join(thread, NULL);
}
