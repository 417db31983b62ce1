// expect: none
// modes: hybrid hb
// also: c++
#include "scenario.h"

// From one lock to the other, with both for a moment: who sees what was done
// under the first and then takes the second comes after what was done under it.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
int ready, payload;

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_lock(&inner);
  pthread_mutex_unlock(&mutex);
  CONSUME(payload);
  pthread_mutex_unlock(&inner);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  if (!ready) abort();
  pthread_mutex_lock(&inner);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&mutex);
  payload = 1;
}

int main(void) { run_two(first, second); }
