// expect: data race
// names: shared
// What is done at a quick end is checked, too.
// exit: 66
#include "scenario.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void at_end(void) {
  shared = 2; // here
}

NOINLINE static void *use(void *argument) {
  pthread_mutex_lock(&mutex);
  shared = 1; // here
  pthread_mutex_unlock(&mutex);
  take_step();
  wait_for_step(2);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, use, NULL);
  wait_for_step(1);
  at_quick_exit(at_end);
  quick_exit(0);
}
