// expect: invalid use of a semaphore
// also: c++
// tsan: misses, it does not look at results
#include <limits.h>
#include <semaphore.h>

#include "scenario.h"

sem_t semaphore;

int main(void) {
  sem_init(&semaphore, 0, INT_MAX);
  sem_post(&semaphore); // here
}
