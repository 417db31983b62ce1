// expect: none
// modes: hybrid
// also: c++
#include "scenario.h"

// Two critical sections of one lock follow on each other with nothing between
// them. Who comes after the first one because of what is touched in it may
// still come before the second.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int one, other;

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex);
  one = 1;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  other = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  one = 2;
  other = 2;
  pthread_mutex_unlock(&mutex);
}

int main(void) { run_two(first, second); }
