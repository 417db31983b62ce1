// expect: unlock of a read-write lock by a thread that does not hold it
// also: c++
// orders: read write
// names: read-write lock 'lock'
#include "scenario.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

NOINLINE static void first(void) {
  if (ordered("write"))
    pthread_rwlock_wrlock(&lock);
  else
    pthread_rwlock_rdlock(&lock);
}
NOINLINE static void second(void) {
  pthread_rwlock_unlock(&lock); // here
}

int main(void) { run_held(first, second); }
