// expect: none
// also: c++
#include "scenario.h"

// Two threads wait for one round after the other.
enum { ROUNDS = 3 };
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int rounds, payload[ROUNDS];

NOINLINE static void begin_round(int round) {
  pthread_mutex_lock(&mutex);
  while (rounds > round) pthread_cond_wait(&condition, &mutex);
  rounds = round + 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void await_round(int round) {
  pthread_mutex_lock(&mutex);
  while (rounds <= round) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
}
static void *first(void *unused) {
  for (int round = 0; round < ROUNDS; ++round) {
    wait_for_step(3 * round + 1);
    await_round(round);
    take_step();
  }
  return unused;
}
static void *second(void *unused) {
  for (int round = 0; round < ROUNDS; ++round) {
    wait_for_step(3 * round + 2);
    await_round(round);
    USE(payload[round]);
    take_step();
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int round = 0; round < ROUNDS; ++round) {
    wait_for_step(3 * round);
    payload[round] = 1;
    begin_round(round);
    take_step();
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
