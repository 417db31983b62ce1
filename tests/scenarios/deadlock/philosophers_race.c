// expect: lock-order inversion (potential deadlock)
// also: c++
#include "scenario.h"

// Each takes the fork at its left, then the one at its right.
#define SEATS 20

pthread_mutex_t forks[SEATS];

NOINLINE static void *eat(void *argument) {
  int seat = *(int *)argument;
  wait_for_step(seat);
  pthread_mutex_lock(&forks[seat]);
  pthread_mutex_lock(&forks[(seat + 1) % SEATS]); // here
  pthread_mutex_unlock(&forks[(seat + 1) % SEATS]);
  pthread_mutex_unlock(&forks[seat]);
  take_step();
  return NULL;
}

int main(void) {
  pthread_t threads[SEATS];
  int seats[SEATS];
  for (int seat = 0; seat < SEATS; ++seat) pthread_mutex_init(&forks[seat], NULL);
  for (int seat = 0; seat < SEATS; ++seat) {
    seats[seat] = seat;
    pthread_create(&threads[seat], NULL, eat, &seats[seat]);
  }
  for (int seat = 0; seat < SEATS; ++seat) pthread_join(threads[seat], NULL);
}
