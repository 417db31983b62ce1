// expect: lock-order inversion (potential deadlock)
// orders: first-second second-first
// also: c++
// names: mutex 'a', mutex 'b'
#include "scenario.h"

// One thread takes the locks in both orders, and another in one of them.
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void forwards(void) {
  pthread_mutex_lock(&a); // here
  pthread_mutex_lock(&b); // here
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
}
NOINLINE static void both(void) {
  forwards();
  pthread_mutex_lock(&b); // here
  pthread_mutex_lock(&a); // here
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
}

int main(void) { run_ordered(both, forwards); }
