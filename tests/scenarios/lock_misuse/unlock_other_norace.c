// expect: none
// also: c++
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

int main(void) { run_two(first, first); }
