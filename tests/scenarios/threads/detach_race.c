// expect: data race
// also: c++
// names: shared
#include "scenario.h"

int shared;

static void *write_it(void *unused) {
  shared = 1; // here
  take_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_it, NULL);
  pthread_detach(thread);
  wait_for_step(1);
  shared = 2; // here
}
