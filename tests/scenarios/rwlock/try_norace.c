// expect: none
// orders: write-read read-write write-write
// also: c++
#include "scenario.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int shared;

NOINLINE static void write_it(void) {
  if (pthread_rwlock_trywrlock(&lock)) abort();
  shared = 1;
  pthread_rwlock_unlock(&lock);
}
NOINLINE static void read_it(void) {
  if (pthread_rwlock_tryrdlock(&lock)) abort();
  CONSUME(shared);
  pthread_rwlock_unlock(&lock);
}

int main(void) { run_accesses(run_two, write_it, read_it); }
