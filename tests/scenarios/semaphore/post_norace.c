// expect: none
// also: c++
#include <semaphore.h>

#include "scenario.h"

sem_t semaphore;
int payload;

NOINLINE static void write_and_post(void) {
  payload = 1;
  sem_post(&semaphore);
}
NOINLINE static void wait_and_read(void) {
  sem_wait(&semaphore);
  CONSUME(payload);
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  run_two(write_and_post, wait_and_read);
  sem_destroy(&semaphore);
}
