// expect: possible data race
// expect hb: none
// modes: hybrid hb
// also: c++
// names: data
// tsan: misses, the order of the locks hides it
#include "scenario.h"

// As the twin, but it cleans up without a look at the count.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int references[2] = {1, 1}, data[2], total;

NOINLINE static void first(void) {
  data[0] = 1; // here
  pthread_mutex_lock(&mutex);
  --references[0];
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  data[1] = 1;
  pthread_mutex_lock(&mutex);
  --references[1];
  pthread_mutex_unlock(&mutex);
  total = data[0] + data[1]; // here
}

int main(void) { run_two(first, second); }
