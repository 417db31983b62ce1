// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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

int main(void) { run_ordered(first, second); }
