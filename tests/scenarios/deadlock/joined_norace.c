// expect: none
// orders: first-second second-first
// also: c++
// tsan: false alarm, it does not ask whether the threads ever meet
#include "scenario.h"

// The first thread has been joined when the second is created.
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void first(void) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
}

int main(void) {
  if (ordered("second-first"))
    run_joined(second, first);
  else
    run_joined(first, second);
  first();
}
