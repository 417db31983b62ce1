// expect: none
// modes: hybrid hb
// also: c++
// tsan: skip, the annotations header is not among its own
#include "racert/annotations.h"
#include "scenario.h"

// The mutex is meant to order what comes before and after its critical
// sections, though they touch nothing in common.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

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

int main(void) {
  ANNOTATE_PURE_HAPPENS_BEFORE_MUTEX(&mutex);
  run_two(first, second);
}
