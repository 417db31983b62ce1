// expect: data race
// also: c++
// names: payload
#include "scenario.h"

// Who is told to be the last one destroys the barrier and makes it anew, before
// the other has come out of it; both write then.
pthread_barrier_t barrier;
int payload;

static void *meet(void *unused) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_barrier_destroy(&barrier);
    pthread_barrier_init(&barrier, NULL, 2);
    payload = 1; // here
    take_step();
  } else {
    wait_for_step(1);
    payload = 2; // here
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&barrier, NULL, 2);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, meet, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
