// expect: none
// also: c++
// tsan: skip, it cannot hold so many
#include "scenario.h"

// Two hundred locks at once, taken and given back in several orders.
#define LOCKS 200
pthread_mutex_t locks[LOCKS];
int shared;

NOINLINE static void body(void) {
  for (int i = 0; i < LOCKS; ++i) pthread_mutex_lock(&locks[i]);
  shared++;
  for (int i = 0; i < LOCKS; i += 2) pthread_mutex_unlock(&locks[i]);
  for (int i = LOCKS - 1; i > 0; i -= 2) pthread_mutex_unlock(&locks[i]);
}

int main(void) {
  for (int i = 0; i < LOCKS; ++i) pthread_mutex_init(&locks[i], NULL);
  run_two(body, body);
}
