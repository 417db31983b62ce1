// expect: data race
// also: c++
// names: shared
#include "scenario.h"

int shared;

static void *write_and_exit(void *unused) {
  wait_for_step(1);
  shared = 1; // here
  exit(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_and_exit, NULL);
  shared = 2; // here
  take_step();
  pthread_join(thread, NULL);
}
