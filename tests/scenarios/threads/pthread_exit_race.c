// expect: data race
// also: c++
// names: shared
#include "scenario.h"

int shared;

NOINLINE static void leave(void) { pthread_exit(NULL); }
static void *write_it(void *unused) {
  shared = 1; // here
  take_step();
  leave();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_it, NULL);
  wait_for_step(1);
  shared = 2; // here
  pthread_join(thread, NULL);
}
