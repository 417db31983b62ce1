// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

// Locks of two kinds.
pthread_spinlock_t spin;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void first(void) {
  pthread_spin_lock(&spin);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_spin_unlock(&spin);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
}

int main(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  run_ordered(first, second);
}
