// expect: none
// also: c++
#include <semaphore.h>
#include <time.h>

#include "scenario.h"

sem_t semaphore;
int payload;

NOINLINE static void write_and_post(void) {
  payload = 1;
  sem_post(&semaphore);
  payload = 2;
  sem_post(&semaphore);
}
NOINLINE static void take_and_write(void) {
  struct timespec future = {(time_t)1 << 40, 0};
  if (sem_trywait(&semaphore)) abort();
  if (sem_timedwait(&semaphore, &future)) abort();
  payload = 3;
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  run_two(write_and_post, take_and_write);
}
