// expect: heap use after free
// also: c++
// tsan: skip, its report has another name
#include "scenario.h"

// Ordered by a lock, and still an error.
int *block;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void release(void) {
  pthread_mutex_lock(&lock);
  free(block); // here
  pthread_mutex_unlock(&lock);
}
NOINLINE static void use(void) {
  pthread_mutex_lock(&lock);
  block[3] = 1; // here
  pthread_mutex_unlock(&lock);
}

int main(void) {
  block = (int *)malloc(64);
  run_two(release, use);
}
