// expect: lock-order inversion (potential deadlock)
// orders: first-second second-first
// also: c++
// names: read-write lock 'a', read-write lock 'b'
#include "scenario.h"

// Each holds one lock for reading and wants to write under the other.
pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

NOINLINE static void first(void) {
  pthread_rwlock_rdlock(&a); // here
  pthread_rwlock_wrlock(&b); // here
  pthread_rwlock_unlock(&b);
  pthread_rwlock_unlock(&a);
}
NOINLINE static void second(void) {
  pthread_rwlock_rdlock(&b); // here
  pthread_rwlock_wrlock(&a); // here
  pthread_rwlock_unlock(&a);
  pthread_rwlock_unlock(&b);
}

int main(void) { run_ordered(first, second); }
