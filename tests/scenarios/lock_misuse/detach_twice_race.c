// expect: invalid use of a thread
// also: c++
// tsan: skip, it stops the program
#include "scenario.h"

NOINLINE static void *wait(void *argument) {
  wait_for_step(1);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  pthread_detach(thread);
  pthread_detach(thread); // here
  take_step();
}
