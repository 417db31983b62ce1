// expect: none
// tsan: skip, the annotations header is not among its own
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared, done;

NOINLINE static void first(void) {
  shared = 1;
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  ANNOTATE_IGNORE_SYNC_BEGIN();
  ANNOTATE_IGNORE_SYNC_END();
  pthread_mutex_lock(&mutex);
  if (!done) abort();
  pthread_mutex_unlock(&mutex);
  shared = 2;
}

int main(void) { run_two(first, second); }
