// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// Only one of the accesses is separated from the other thread by the barrier.
pthread_barrier_t barrier;
int payload;

static void *use(void *unused) {
  pthread_barrier_wait(&barrier);
  wait_for_step(1);
  CONSUME(payload); // here
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, use, NULL);
  pthread_barrier_wait(&barrier);
  payload = 1; // here
  take_step();
  pthread_join(thread, NULL);
}
