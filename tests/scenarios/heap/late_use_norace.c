// expect: none
// also: c++
#include "scenario.h"

// The memory is somebody's again.
int *block;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void renew(void) {
  pthread_mutex_lock(&lock);
  free(block);
  block = (int *)malloc(64);
  pthread_mutex_unlock(&lock);
}
NOINLINE static void use(void) {
  pthread_mutex_lock(&lock);
  block[3] = 1;
  pthread_mutex_unlock(&lock);
}

int main(void) {
  block = (int *)malloc(64);
  run_two(renew, use);
}
