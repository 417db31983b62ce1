// expect: deadlock
// orders: first-second second-first
// also: c++
// names: mutex 'a', mutex 'b', waits for
// timeout: 300
// tsan: skip, it hangs
#include "scenario.h"

// Each thread has its first lock before either wants its second.
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void *first(void *argument) {
  pthread_mutex_lock(&a); // here
  take_step();
  wait_for_step(2);
  if (ordered("second-first")) wait_for_sleeper(&a);
  pthread_mutex_lock(&b); // here
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return argument;
}
NOINLINE static void *second(void *argument) {
  pthread_mutex_lock(&b); // here
  take_step();
  wait_for_step(2);
  if (ordered("first-second")) wait_for_sleeper(&b);
  pthread_mutex_lock(&a); // here
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
