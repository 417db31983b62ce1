// expect: possible data race
// expect hb: none
// modes: hybrid hb
// also: c++
// names: shared, Mutex 'mutex' was taken by thread T2
// tsan: skip, the annotations header is not among its own
#include "racert/annotations.h"
#include "scenario.h"

// As the twin, but of another mutex that is meant to order, and of one that no
// longer is.
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

NOINLINE static void first(void) {
  shared = 1; // here
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  shared = 2; // here
}

int main(void) {
  ANNOTATE_PURE_HAPPENS_BEFORE_MUTEX(&other);
  ANNOTATE_PURE_HAPPENS_BEFORE_MUTEX(&mutex);
  ANNOTATE_NOT_HAPPENS_BEFORE_MUTEX(&mutex);
  run_two(first, second);
}
