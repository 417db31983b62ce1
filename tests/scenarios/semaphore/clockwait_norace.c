// expect: none
// also: c++
// tsan: false alarm: it does not know sem_clockwait
#include <semaphore.h>
#include <time.h>

#include "scenario.h"

sem_t semaphore;
int payload;

NOINLINE static void write_and_post(void) {
  payload = 1;
  sem_post(&semaphore);
}
NOINLINE static void wait_and_read(void) {
  struct timespec future = {(time_t)1 << 40, 0};
  if (sem_clockwait(&semaphore, CLOCK_MONOTONIC, &future)) abort();
  CONSUME(payload);
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  run_two(write_and_post, wait_and_read);
}
