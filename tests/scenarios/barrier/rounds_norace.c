// expect: none
// also: c++
#include "scenario.h"

pthread_barrier_t barrier;
int payload;

static void *write_it(void *unused) {
  for (int round = 0; round < 50; ++round) {
    payload = round;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
  }
  return unused;
}
static void *read_it(void *unused) {
  for (int round = 0; round < 50; ++round) {
    pthread_barrier_wait(&barrier);
    CONSUME(payload);
    pthread_barrier_wait(&barrier);
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_create(&threads[0], NULL, write_it, NULL);
  pthread_create(&threads[1], NULL, read_it, NULL);
  pthread_create(&threads[2], NULL, read_it, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
