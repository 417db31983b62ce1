// expect: none
// modes: hybrid hb
// also: c++
#include "scenario.h"

// The second thread touches the data only if the first one has said under the
// lock that it is done: the two critical sections conflict, so their order
// counts.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared, done;

NOINLINE static void first(void) {
  shared = 1;
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  int seen = done;
  pthread_mutex_unlock(&mutex);
  if (seen) shared = 2;
}

int main(void) { run_two(first, second); }
