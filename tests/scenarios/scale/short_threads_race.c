// expect: data race
// opt: O1
// names: shared
// tsan: misses: the first access is forgotten (after 50 threads it reports)
// timeout: 300
#include "scenario.h"

// 5000 threads one after the other between two racing ones. They are detached
// and wait for each other invisibly, so nothing orders the first and the last.
enum { COUNT = 5000 };
int shared;

static void *first(void *unused) {
  shared = 1; // here
  take_step();
  return unused;
}
static void *between(void *unused) {
  free(malloc(16));
  take_step();
  return unused;
}
static void *last(void *unused) {
  shared = 2; // here
  take_step();
  return unused;
}

int main(void) {
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < COUNT; ++i) {
    pthread_t thread;
    void *(*body)(void *) = i == 0 ? first : i == COUNT - 1 ? last : between;
    if (pthread_create(&thread, &detached, body, NULL)) return 1;
    wait_for_step(i + 1);
  }
}
