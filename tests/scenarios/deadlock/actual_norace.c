// expect: none
// also: c++
// timeout: 300
#include "scenario.h"

// Each thread waits for the other's second lock while it holds none.
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void *first(void *argument) {
  pthread_mutex_lock(&a);
  take_step();
  wait_for_step(2);
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  return argument;
}
NOINLINE static void *second(void *argument) {
  pthread_mutex_lock(&b);
  take_step();
  wait_for_step(2);
  pthread_mutex_unlock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
