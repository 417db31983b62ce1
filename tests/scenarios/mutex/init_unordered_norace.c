// expect: none
// Initialised before the threads that use it.
#include "scenario.h"

static pthread_mutex_t mutex;
int shared;

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex);
  shared = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  shared = 2;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_mutex_init(&mutex, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  run_two(first, second);
  pthread_mutex_destroy(&mutex);
}
