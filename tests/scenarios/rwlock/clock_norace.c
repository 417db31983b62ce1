// expect: none
// orders: write-read read-write write-write
// also: c++
// tsan: false alarm: it does not know the clock variants
#include <time.h>

#include "scenario.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
const struct timespec future = {(time_t)1 << 40, 0};
int shared;

NOINLINE static void write_it(void) {
  if (pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &future)) abort();
  shared = 1;
  pthread_rwlock_unlock(&lock);
}
NOINLINE static void read_it(void) {
  if (pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &future)) abort();
  CONSUME(shared);
  pthread_rwlock_unlock(&lock);
}

int main(void) { run_accesses(run_two, write_it, read_it); }
