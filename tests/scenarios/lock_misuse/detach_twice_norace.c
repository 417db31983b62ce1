// expect: none
// also: c++
#include "scenario.h"

NOINLINE static void *wait(void *argument) {
  wait_for_step(1);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  pthread_detach(thread);
  take_step();
}
