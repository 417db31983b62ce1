// expect: lock-order inversion (potential deadlock)
// orders: first-second second-first
// also: c++
// names: spin lock 'spin', mutex 'mutex'
#include "scenario.h"

// Locks of two kinds.
pthread_spinlock_t spin;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void first(void) {
  pthread_spin_lock(&spin); // here
  pthread_mutex_lock(&mutex); // here
  pthread_mutex_unlock(&mutex);
  pthread_spin_unlock(&spin);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex); // here
  pthread_spin_lock(&spin); // here
  pthread_spin_unlock(&spin);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  run_ordered(first, second);
}
