// expect: none
// also: c++
#include "scenario.h"

// As in one_function_race, under a lock.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long hits, misses;

NOINLINE static void count(long *which) {
  pthread_mutex_lock(&mutex);
  ++*which;
  pthread_mutex_unlock(&mutex);
}

static void *earlier(void *argument) {
  count(&hits);
  count(&misses);
  take_step();
  return argument;
}
static void *later(void *argument) {
  wait_for_step(1);
  count(&hits);
  count(&misses);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, earlier, NULL);
  pthread_create(&threads[1], NULL, later, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
