// expect: data race
// also: c++
// names: payload
#include <semaphore.h>

#include "scenario.h"

// The wait takes what was in the semaphore from the start.
sem_t semaphore;
int payload;

NOINLINE static void write_it(void) {
  payload = 1; // here
}
NOINLINE static void wait_and_read(void) {
  sem_wait(&semaphore);
  CONSUME(payload); // here
}

int main(void) {
  sem_init(&semaphore, 0, 1);
  run_two(write_it, wait_and_read);
}
