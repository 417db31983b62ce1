// expect: data race
// also: c++
// names: shared
#include <errno.h>
#include <time.h>

#include "scenario.h"

// Timed locks that give up order nothing.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *hold(void *unused) {
  pthread_mutex_lock(&mutex);
  shared = 1; // here
  take_step();
  wait_for_step(2);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec past = {0, 0};
  pthread_create(&thread, NULL, hold, NULL);
  wait_for_step(1);
  if (pthread_mutex_timedlock(&mutex, &past) != ETIMEDOUT) return 1;
  if (pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past) != ETIMEDOUT) return 2;
  shared = 2; // here
  take_step();
  pthread_join(thread, NULL);
}
