// expect: data race
// orders: first-second second-first
// also: c++
// names: shared
#include "scenario.h"

pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int shared;

NOINLINE static void under_one(void) {
  pthread_mutex_lock(&one);
  shared = 1; // here
  pthread_mutex_unlock(&one);
}
NOINLINE static void under_other(void) {
  pthread_mutex_lock(&other);
  shared = 2; // here
  pthread_mutex_unlock(&other);
}

int main(void) { run_ordered(under_one, under_other); }
