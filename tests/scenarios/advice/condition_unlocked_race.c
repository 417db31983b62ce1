// expect: none
// advice: condition that is changed without its mutex
// also: c++
// names: condition variable 'condition', mutex 'mutex'
#include "scenario.h"

// One thread changes the condition, another signals, and neither has ever held
// the mutex.
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
static void *changer(void *unused) {
  wait_for_step(2);
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE); // here
  take_step();
  return unused;
}
static void *signaller(void *unused) {
  wait_for_step(3);
  pthread_cond_signal(&condition); // here
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, waiter, NULL);
  pthread_create(&threads[1], NULL, changer, NULL);
  pthread_create(&threads[2], NULL, signaller, NULL);
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  take_step();
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
