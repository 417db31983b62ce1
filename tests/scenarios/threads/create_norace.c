// expect: none
// also: c++
#include "scenario.h"

int shared;

static void *use(void *unused) {
  CONSUME(shared);
  shared = 2;
  return unused;
}

int main(void) {
  pthread_t thread;
  shared = 1;
  pthread_create(&thread, NULL, use, NULL);
  pthread_join(thread, NULL);
  CONSUME(shared);
}
