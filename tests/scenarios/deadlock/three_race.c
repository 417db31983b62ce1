// expect: lock-order inversion (potential deadlock)
// also: c++
// names: mutex 'forks[1]', thread T3
#include "scenario.h"

// Three philosophers, each with a fork of each neighbour.
pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                            PTHREAD_MUTEX_INITIALIZER};

NOINLINE static void *dine(void *argument) {
  long seat = (long)argument;
  wait_for_step((int)seat);
  pthread_mutex_lock(&forks[seat]);
  pthread_mutex_lock(&forks[(seat + 1) % 3]); // here
  pthread_mutex_unlock(&forks[(seat + 1) % 3]);
  pthread_mutex_unlock(&forks[seat]);
  take_step();
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, dine, (void *)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
