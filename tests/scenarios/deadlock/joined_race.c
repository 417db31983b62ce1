// expect: lock-order inversion (potential deadlock)
// orders: first-second second-first
// also: c++
// names: mutex 'a', mutex 'b'
#include "scenario.h"

// The main thread takes the locks before it creates the other thread, which
// cannot meet it, and once more while that thread runs.
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void forwards(void) {
  pthread_mutex_lock(&a); // here
  pthread_mutex_lock(&b); // here
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
}
NOINLINE static void *backwards(void *argument) {
  wait_for_step(ordered("second-first") ? 1 : 0);
  pthread_mutex_lock(&b); // here
  pthread_mutex_lock(&a); // here
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  take_step();
  return argument;
}

int main(void) {
  pthread_t thread;
  forwards();
  pthread_create(&thread, NULL, backwards, NULL);
  wait_for_step(ordered("second-first") ? 0 : 1);
  forwards();
  take_step();
  pthread_join(thread, NULL);
}
