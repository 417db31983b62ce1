// expect: data race
// tsan: skip, the annotations header is not among its own
// also: c++
// names: shared
// A lock that is taken for other reasons orders nothing.
#include "racert/annotations.h"
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared, flag;

NOINLINE static void first(void) {
  shared = 1; // here
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}
NOINLINE static void second(void) {
  ANNOTATE_IGNORE_SYNC_BEGIN();
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  if (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) abort();
  ANNOTATE_IGNORE_SYNC_END();
  shared = 2; // here
}

int main(void) { run_two(first, second); }
