// expect: lost wake-up
// also: c++
// names: condition variable 'condition'
// timeout: 300
// tsan: skip, it hangs
#include "scenario.h"

// Three threads, each of which waits in its own way, and none goes on: the
// first for a signal, the second for the first's lock, the third for its end.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

NOINLINE static void *waiter(void *unused) {
  pthread_mutex_lock(&kept);
  pthread_mutex_lock(&mutex);
  take_step();
  while (!ready) pthread_cond_wait(&condition, &mutex); // here
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&kept);
  return unused;
}
NOINLINE static void *second(void *unused) {
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&kept); // here
  pthread_mutex_unlock(&kept);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, waiter, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[1], NULL); // here
  pthread_join(threads[0], NULL);
}
