// expect: data race
// opt: O1
// names: shared
// tsan: misses: the first access is forgotten (with 1,000 epochs it reports)
// timeout: 300
#include "scenario.h"

// Each thread goes through 100,000 epochs on a lock of its own around the race.
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int shared, counters[2];

NOINLINE static void advance(int own) {
  for (int i = 0; i < 100000; ++i) {
    pthread_mutex_lock(&locks[own]);
    counters[own] += 1;
    pthread_mutex_unlock(&locks[own]);
  }
}
NOINLINE static void first(void) {
  advance(0);
  shared = 1; // here
  advance(0);
}
NOINLINE static void second(void) {
  advance(1);
  shared = 2; // here
  advance(1);
}

int main(void) { run_two(first, second); }
