// expect: none
// also: c++
#include "scenario.h"

// Each takes the fork with the lower number first.
#define SEATS 20

pthread_mutex_t forks[SEATS];

NOINLINE static void *eat(void *argument) {
  int seat = *(int *)argument;
  wait_for_step(seat);
  int other = (seat + 1) % SEATS;
  int first = seat < other ? seat : other;
  int second = seat + other - first;
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
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
