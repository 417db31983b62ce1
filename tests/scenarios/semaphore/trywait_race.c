// expect: data race
// also: c++
// names: payload
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "scenario.h"

// Waits that fail order nothing.
sem_t semaphore;
int payload;

NOINLINE static void write_it(void) {
  payload = 1; // here
}
NOINLINE static void try_and_read(void) {
  struct timespec past = {0, 0};
  if (sem_trywait(&semaphore) != -1 || errno != EAGAIN) abort();
  if (sem_timedwait(&semaphore, &past) != -1 || errno != ETIMEDOUT) abort();
  CONSUME(payload); // here
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  run_two(write_it, try_and_read);
}
