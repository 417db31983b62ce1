// expect: data race
// also: c++
// names: shared
#include <limits.h>

#include "scenario.h"

int shared;

static void *write_it(void *unused) {
  shared = 1; // here
  take_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
  if (pthread_create(&thread, &attributes, write_it, NULL)) return 1;
  wait_for_step(1);
  shared = 2; // here
  pthread_join(thread, NULL);
}
