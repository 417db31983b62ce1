// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

// The second thread only tries the lock that is out of order.
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void first(void) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&b);
  if (pthread_mutex_trylock(&a) == 0) pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
}

int main(void) { run_ordered(first, second); }
