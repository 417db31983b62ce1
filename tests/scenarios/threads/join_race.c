// expect: data race
// also: c++
// names: shared
#include "scenario.h"

// The main thread joins another thread than the one that wrote.
int shared;

static void *write_it(void *unused) {
  shared = 1; // here
  take_step();
  return unused;
}
static void *idle(void *unused) { return unused; }

int main(void) {
  pthread_t writer, other;
  pthread_create(&writer, NULL, write_it, NULL);
  pthread_create(&other, NULL, idle, NULL);
  wait_for_step(1);
  pthread_join(other, NULL);
  CONSUME(shared); // here
  pthread_join(writer, NULL);
}
