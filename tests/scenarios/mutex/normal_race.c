// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

NOINLINE static void locked(void) {
  pthread_mutex_lock(&mutex);
  shared = 1; // here
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void unlocked(void) {
  shared = 2; // here
}

int main(void) { run_ordered(locked, unlocked); }
