// expect: free of a locked mutex
// also: c++
// tsan: skip, its report has another name
#include "scenario.h"

NOINLINE static void lock_and_free(void) {
  pthread_mutex_t *lock = (pthread_mutex_t *)malloc(sizeof *lock);
  pthread_mutex_init(lock, NULL);
  pthread_mutex_lock(lock); // here
  free(lock); // here
}

int main(void) { lock_and_free(); }
