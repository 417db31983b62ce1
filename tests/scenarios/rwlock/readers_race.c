// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
#include "scenario.h"

// Two read locks do not exclude each other, nor order what is written under them.
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int shared;

NOINLINE static void first(void) {
  pthread_rwlock_rdlock(&lock);
  shared = 1; // here
  pthread_rwlock_unlock(&lock);
}
NOINLINE static void second(void) {
  pthread_rwlock_rdlock(&lock);
  shared = 2; // here
  pthread_rwlock_unlock(&lock);
}

int main(void) { run_ordered(first, second); }
