// expect: possible data race
// modes: hybrid
// also: c++
// names: payload
// tsan: misses, the order of locks hides it
#include "scenario.h"

// From one lock to the other, with both for a moment: who takes the second and
// has not seen what was done under the first may as well come before.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
int ready, payload;

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_lock(&inner);
  pthread_mutex_unlock(&mutex);
  CONSUME(payload); // here
  pthread_mutex_unlock(&inner);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&inner);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&mutex);
  payload = 1; // here
}

int main(void) { run_two(first, second); }
