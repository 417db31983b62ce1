// expect: none
// also: c++
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

// Taking a lock again that is held is no order, whatever was taken in between.
NOINLINE static void body(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&other);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&mutex);
}

int main(void) { run_two(body, body); }
