// expect: data race
// modes: hybrid hb
// also: c++
// names: shared
#include "scenario.h"
#include <semaphore.h>

// One thread touches the data in a critical section and lets another one touch
// it, too, but does not wait for that: who has the lock next may meet it.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t yours;
int shared;

static void *helper(void *unused) {
  sem_wait(&yours);
  shared = 2;
  return unused;
}

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex);
  shared = 1;
  sem_post(&yours);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  shared = 3;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  sem_init(&yours, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, helper, NULL);
  run_two(first, second);
  pthread_join(thread, NULL);
}
