// expect: data race
// also: c++
// names: payload
#include <errno.h>
#include <time.h>

#include "scenario.h"

// A wait that times out has heard from nobody.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int payload;

NOINLINE static void write_it(void) {
  payload = 42; // here
}
NOINLINE static void wait_in_vain(void) {
  struct timespec past = {0, 0};
  pthread_mutex_lock(&mutex);
  if (pthread_cond_timedwait(&condition, &mutex, &past) != ETIMEDOUT) abort();
  if (pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &past) != ETIMEDOUT) abort();
  pthread_mutex_unlock(&mutex);
  USE(payload); // here
}

// Some detectors say nothing the first time.
NOINLINE static void write_and_write_again(void) {
  write_it();
  take_step();
  wait_for_step(2);
  write_it();
}

int main(void) { run_two(write_and_write_again, wait_in_vain); }
