// expect: data race
// also: c++
// names: shared
#include "scenario.h"

// A handler that runs at exit touches what a thread that still runs has written.
int shared;

static void at_the_end(void) {
  shared = 2; // here
}

static void *run(void *unused) {
  shared = 1; // here
  take_step();
  wait_for_step(2);
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(at_the_end);
  pthread_create(&thread, NULL, run, NULL);
  wait_for_step(1);
  pthread_detach(thread);
  return 0;
}
