// expect: data race
// also: c++
// names: payload
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "scenario.h"

sem_t semaphore;
int payload;

NOINLINE static void write_it(void) {
  payload = 1; // here
}
NOINLINE static void wait_in_vain(void) {
  struct timespec past = {0, 0};
  if (sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past) != -1 || errno != ETIMEDOUT) abort();
  CONSUME(payload); // here
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  run_two(write_it, wait_in_vain);
}
