// expect: lock-order inversion (potential deadlock)
// orders: first-second second-first
// also: c++
// names: mutex 'a', mutex 'b'
#include "scenario.h"

// The second thread goes around the gate once.
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void backwards(void) {
  pthread_mutex_lock(&b); // here
  pthread_mutex_lock(&a); // here
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
}
NOINLINE static void first(void) {
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(&a); // here
  pthread_mutex_lock(&b); // here
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&gate);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&gate);
  backwards();
  pthread_mutex_unlock(&gate);
  backwards();
}

int main(void) { run_ordered(first, second); }
