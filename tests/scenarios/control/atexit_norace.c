// expect: none
// also: c++
#include "scenario.h"

// A handler that runs at exit touches what a thread that was joined has written.
int shared;

static void at_the_end(void) {
  shared = 2;
}

static void *run(void *unused) {
  shared = 1;
  take_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(at_the_end);
  pthread_create(&thread, NULL, run, NULL);
  pthread_join(thread, NULL);
  return 0;
}
