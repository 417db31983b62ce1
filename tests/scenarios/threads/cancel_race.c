// expect: data race
// also: c++
// names: shared
#include <unistd.h>

#include "scenario.h"

int shared;

static void clean_up(void *unused) {
  (void)unused;
  shared = 1; // here
  take_step();
  wait_for_step(3);
}
static void *wait_for_cancellation(void *unused) {
  pthread_cleanup_push(clean_up, NULL);
  take_step();
  for (;;) pause();
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_cancellation, NULL);
  wait_for_step(1);
  pthread_cancel(thread);
  wait_for_step(2);
  shared = 2; // here
  take_step();
  pthread_join(thread, NULL);
}
