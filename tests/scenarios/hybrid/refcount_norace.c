// expect: none
// modes: hybrid hb
// also: c++
#include "scenario.h"

// Whoever gives up the last reference, counted under a mutex, cleans up.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int references = 2, data[2], total;

NOINLINE static void drop(int mine) {
  data[mine] = 1;
  pthread_mutex_lock(&mutex);
  int left = --references;
  pthread_mutex_unlock(&mutex);
  if (left == 0) total = data[0] + data[1];
}
NOINLINE static void first(void) { drop(0); }
NOINLINE static void second(void) { drop(1); }

int main(void) { run_two(first, second); }
