// expect: none
// orders: first-second second-first
// also: c++
#include <semaphore.h>

#include "scenario.h"

// The locks of the second thread are in the memory of the first's, the other
// way round. A semaphore hands the memory over.
pthread_mutex_t memory[2];
sem_t is_free;

static void use(pthread_mutex_t *a, pthread_mutex_t *b) {
  sem_wait(&is_free);
  pthread_mutex_init(a, NULL);
  pthread_mutex_init(b, NULL);
  pthread_mutex_lock(a);
  pthread_mutex_lock(b);
  pthread_mutex_unlock(b);
  pthread_mutex_unlock(a);
  pthread_mutex_destroy(a);
  pthread_mutex_destroy(b);
  sem_post(&is_free);
}
NOINLINE static void first(void) { use(&memory[0], &memory[1]); }
NOINLINE static void second(void) { use(&memory[1], &memory[0]); }

int main(void) {
  sem_init(&is_free, 0, 1);
  run_ordered(first, second);
}
