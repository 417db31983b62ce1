// expect: none
// orders: first-second second-first
// also: c++
// tsan: false alarm, it takes readers for writers
#include "scenario.h"

// Both only read under both locks.
pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

NOINLINE static void first(void) {
  pthread_rwlock_rdlock(&a);
  pthread_rwlock_rdlock(&b);
  pthread_rwlock_unlock(&b);
  pthread_rwlock_unlock(&a);
}
NOINLINE static void second(void) {
  pthread_rwlock_rdlock(&b);
  pthread_rwlock_rdlock(&a);
  pthread_rwlock_unlock(&a);
  pthread_rwlock_unlock(&b);
}

int main(void) { run_ordered(first, second); }
