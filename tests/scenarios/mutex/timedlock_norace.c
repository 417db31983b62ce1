// expect: none
// orders: first-second second-first
// also: c++
#include <time.h>

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;
const struct timespec future = {(time_t)1 << 40, 0};

NOINLINE static void timed(void) {
  if (pthread_mutex_timedlock(&mutex, &future)) abort();
  shared = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void clocked(void) {
  if (pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &future)) abort();
  shared = 2;
  pthread_mutex_unlock(&mutex);
}

int main(void) { run_ordered(timed, clocked); }
