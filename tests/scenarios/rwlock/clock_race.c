// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
#include <time.h>

#include "scenario.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
const struct timespec future = {(time_t)1 << 40, 0};
int shared;

NOINLINE static void first(void) {
  if (pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &future)) abort();
  shared = 1; // here
  pthread_rwlock_unlock(&lock);
}
NOINLINE static void second(void) {
  if (pthread_rwlock_timedrdlock(&lock, &future)) abort();
  shared = 2; // here
  pthread_rwlock_unlock(&lock);
}

int main(void) { run_ordered(first, second); }
