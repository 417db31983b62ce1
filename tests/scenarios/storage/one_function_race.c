// expect: data race, data race
// also: c++
// names: 'hits', 'misses'
#include "scenario.h"

// One function, two variables: what it is called for first does not hide the
// other.
long hits, misses;

NOINLINE static void count(long *which) {
  ++*which; // here
}
NOINLINE static void hit(void) {
  count(&hits);
  CONSUME(hits);
}
NOINLINE static void miss(void) {
  count(&misses);
  CONSUME(misses);
}

static void *earlier(void *argument) {
  hit();
  miss();
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
