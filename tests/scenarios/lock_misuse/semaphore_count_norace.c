// expect: none
// also: c++
#include <limits.h>
#include <semaphore.h>

#include "scenario.h"

sem_t semaphore;

int main(void) {
  sem_init(&semaphore, 0, INT_MAX - 1);
  sem_post(&semaphore);
}
