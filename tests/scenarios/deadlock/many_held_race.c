// expect: lock-order inversion (potential deadlock)
// orders: first-second second-first
// also: c++
// tsan: skip, it cannot hold so many
#include "scenario.h"

// The last two of two hundred locks are taken the other way round.
#define LOCKS 200
pthread_mutex_t locks[2][LOCKS], last[2];

NOINLINE static void forwards(void) {
  for (int i = 0; i < LOCKS; ++i) pthread_mutex_lock(&locks[0][i]);
  pthread_mutex_lock(&last[0]); // here
  pthread_mutex_lock(&last[1]); // here
  pthread_mutex_unlock(&last[1]);
  pthread_mutex_unlock(&last[0]);
  for (int i = 0; i < LOCKS; ++i) pthread_mutex_unlock(&locks[0][i]);
}
NOINLINE static void backwards(void) {
  for (int i = 0; i < LOCKS; ++i) pthread_mutex_lock(&locks[1][i]);
  pthread_mutex_lock(&last[1]); // here
  pthread_mutex_lock(&last[0]); // here
  pthread_mutex_unlock(&last[0]);
  pthread_mutex_unlock(&last[1]);
  for (int i = 0; i < LOCKS; ++i) pthread_mutex_unlock(&locks[1][i]);
}

int main(void) {
  for (int i = 0; i < LOCKS; ++i) {
    pthread_mutex_init(&locks[0][i], NULL);
    pthread_mutex_init(&locks[1][i], NULL);
  }
  pthread_mutex_init(&last[0], NULL);
  pthread_mutex_init(&last[1], NULL);
  run_ordered(forwards, backwards);
}
