// expect: none
// orders: first-second second-first
// also: c++
#include "scenario.h"

pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int shared;

NOINLINE static void under_one(void) {
  pthread_mutex_lock(&one);
  shared = 1;
  pthread_mutex_unlock(&one);
}
NOINLINE static void under_both(void) {
  pthread_mutex_lock(&other);
  pthread_mutex_lock(&one);
  shared = 2;
  pthread_mutex_unlock(&one);
  pthread_mutex_unlock(&other);
}

int main(void) { run_ordered(under_one, under_both); }
