// expect: data race
// also: c++
// names: payload
// tsan: misses: one clock for a barrier instead of one for a round
#include "scenario.h"

// Between two rounds: the writer has not arrived at the second round when the
// reader, who left the first one late, reads.
pthread_barrier_t barrier;
int payload;

static void *write_it(void *unused) {
  pthread_barrier_wait(&barrier);
  payload = 1; // here
  take_step();
  pthread_barrier_wait(&barrier);
  return unused;
}
static void *read_it(void *unused) {
  pthread_barrier_wait(&barrier);
  wait_for_step(1);
  CONSUME(payload); // here
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&threads[0], NULL, write_it, NULL);
  pthread_create(&threads[1], NULL, read_it, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
