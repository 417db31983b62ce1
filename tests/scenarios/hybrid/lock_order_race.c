// expect: possible data race
// expect hb: none
// modes: hybrid hb
// also: c++
// names: shared
// tsan: misses, the order of the locks hides it
#include "scenario.h"

// Nothing but the order in which the two happened to take an unrelated lock
// puts one write before the other.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared, unrelated;

NOINLINE static void first(void) {
  shared = 1;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  shared = 2;
}

int main(void) { run_two(first, second); }
