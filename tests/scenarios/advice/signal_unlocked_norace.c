// expect: none
// also: c++
// orders: under-lock lock-between initialised
#include "scenario.h"

// Signalling without the mutex is fine if it was held while the condition was
// changed, or at least once between the change and the signal.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, enabled;

static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
  take_step();
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE) || !enabled)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  enabled = 1;
  pthread_create(&thread, NULL, waiter, NULL);
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  if (!ordered("lock-between")) __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&mutex);
  if (ordered("lock-between")) {
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  pthread_cond_signal(&condition);
  pthread_join(thread, NULL);
}
