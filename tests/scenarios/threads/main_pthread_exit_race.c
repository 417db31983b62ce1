// expect: data race
// also: c++
// tsan: skip: its background thread keeps the process alive for ever
// names: shared
#include "scenario.h"

// The process lives on after its first thread has left.
int shared;

static void *first(void *unused) {
  shared = 1; // here
  take_step();
  return unused;
}
static void *second(void *unused) {
  wait_for_step(1);
  shared = 2; // here
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, first, NULL);
  pthread_detach(thread);
  pthread_create(&thread, NULL, second, NULL);
  pthread_detach(thread);
  pthread_exit(NULL);
}
