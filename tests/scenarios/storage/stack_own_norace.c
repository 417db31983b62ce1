// expect: none
// also: c++
#include "scenario.h"

static void *use(void *passed) {
  *(int *)passed = 2;
  take_step();
  return NULL;
}

int main(void) {
  int local = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, use, &local);
  wait_for_step(1);
  pthread_join(thread, NULL);
  local = 3;
  CONSUME(local);
}
