// expect: none
// also: c++
#include "scenario.h"

pthread_barrier_t barrier;
int slots[2];

static void *exchange(void *argument) {
  int own = *(int *)argument;
  for (int round = 0; round < 100; ++round) {
    slots[own] = round;
    pthread_barrier_wait(&barrier);
    CONSUME(slots[1 - own]);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  pthread_barrier_init(&barrier, NULL, 2);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, exchange, &numbers[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
}
