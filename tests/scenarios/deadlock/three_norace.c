// expect: none
// also: c++
#include "scenario.h"

// The last philosopher is left-handed.
pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                            PTHREAD_MUTEX_INITIALIZER};

NOINLINE static void *dine(void *argument) {
  long seat = (long)argument;
  long one = seat == 2 ? 0 : seat, other = seat == 2 ? 2 : seat + 1;
  wait_for_step((int)seat);
  pthread_mutex_lock(&forks[one]);
  pthread_mutex_lock(&forks[other]);
  pthread_mutex_unlock(&forks[other]);
  pthread_mutex_unlock(&forks[one]);
  take_step();
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, dine, (void *)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
