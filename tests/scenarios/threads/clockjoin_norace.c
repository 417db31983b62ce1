// expect: none
// flags: -D_GNU_SOURCE
// Joined by a function with a deadline.
#include <time.h>

#include "scenario.h"

int shared;

NOINLINE static void *use(void *argument) {
  shared = 1;
  take_step();
  return argument;
}

int main(void) {
  struct timespec deadline;
  pthread_t thread;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += 50;
  pthread_create(&thread, NULL, use, NULL);
  if (pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &deadline)) return 1;
  shared = 2;
}
