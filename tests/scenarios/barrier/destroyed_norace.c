// expect: none
// also: c++
#include <stdint.h>

#include "scenario.h"

// Who is told to be the last one destroys the barrier and makes it anew, before
// the others have come out of it.
enum { THREADS = 4, ROUNDS = 200 };
pthread_barrier_t barriers[2];
int payload;

static void meet(pthread_barrier_t *barrier) {
  if (pthread_barrier_wait(barrier) != PTHREAD_BARRIER_SERIAL_THREAD) return;
  pthread_barrier_destroy(barrier);
  pthread_barrier_init(barrier, NULL, THREADS);
}

static void *take_turns(void *argument) {
  for (int round = 0; round < ROUNDS; ++round) {
    if (round % THREADS == (int)(intptr_t)argument) payload = round;
    meet(&barriers[0]);
    CONSUME(payload);
    meet(&barriers[1]);
  }
  return argument;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < 2; ++i) pthread_barrier_init(&barriers[i], NULL, THREADS);
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], NULL, take_turns, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}
