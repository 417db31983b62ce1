// expect: none
// also: c++
// timeout: 300
#include "scenario.h"

// With the mutex the change comes before the look or after the wait has begun.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

NOINLINE static int look(void) {
  int result = __atomic_load_n(&ready, __ATOMIC_ACQUIRE);
  if (!result) take_step();
  return result;
}
NOINLINE static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!look()) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
