// expect: none
// The thread that waits was told of the barrier, and destroys it at once after
// it met the other there.
#include "scenario.h"

static pthread_barrier_t meeting;

static void *other(void *argument) {
  pthread_barrier_wait(&meeting);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&meeting, NULL, 2);
  if (pthread_create(&thread, NULL, other, NULL) != 0)
    return 3;
  pthread_barrier_wait(&meeting);
  pthread_barrier_destroy(&meeting);
  pthread_join(thread, NULL);
  return 0;
}
