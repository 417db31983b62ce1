// expect: data race
// also: c++
// names: shared
#include <errno.h>
#include <time.h>

#include "scenario.h"

// A timed join that gives up has joined nothing.
int shared;

static void *write_it(void *unused) {
  shared = 1; // here
  take_step();
  wait_for_step(2);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec past = {0, 0};
  pthread_create(&thread, NULL, write_it, NULL);
  wait_for_step(1);
  if (pthread_timedjoin_np(thread, NULL, &past) != ETIMEDOUT) return 1;
  if (pthread_tryjoin_np(thread, NULL) != EBUSY) return 2;
  CONSUME(shared); // here
  take_step();
  pthread_join(thread, NULL);
}
