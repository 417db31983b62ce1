// expect: none
// also: c++
#include "scenario.h"

NOINLINE static void lock_and_free(void) {
  pthread_mutex_t *lock = (pthread_mutex_t *)malloc(sizeof *lock);
  pthread_mutex_init(lock, NULL);
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  free(lock);
}

int main(void) { lock_and_free(); }
