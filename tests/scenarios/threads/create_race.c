// expect: data race
// also: c++
// names: shared
#include "scenario.h"

// The creator writes after it created, and nothing orders that.
int shared;

static void *use(void *unused) {
  wait_for_step(1);
  CONSUME(shared); // here
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, use, NULL);
  shared = 1; // here
  take_step();
  pthread_join(thread, NULL);
}
