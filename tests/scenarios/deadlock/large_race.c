// expect: lock-order inversion (potential deadlock)
// orders: first-second second-first
// also: c++
// names: 'locks'
// tsan: skip, it knows too few locks
#include "scenario.h"

// Thousands of locks, taken in ever new pairs. All agree on an order, which is
// not that of their addresses, but for one pair.
#define LOCKS 2000
#define PAIRS 10000
pthread_mutex_t locks[LOCKS];
int place[LOCKS];

static void use(int a, int b) {
  pthread_mutex_lock(&locks[place[a]]); // here
  pthread_mutex_lock(&locks[place[b]]); // here
  pthread_mutex_unlock(&locks[place[b]]);
  pthread_mutex_unlock(&locks[place[a]]);
}
static void use_many(unsigned random, int wrong) {
  for (int i = 0; i < PAIRS; i++) {
    random = random * 1664525 + 1013904223;
    int a = (int)((random >> 8) % (LOCKS - 1));
    int b = a + 1 + (int)((random >> 16) % (unsigned)(LOCKS - 1 - a));
    use(a, b);
    if (i == 500) {
      use(300, 1700);
    } else if (i == PAIRS / 2 && wrong) {
      use(1700, 300);
    }
  }
}
NOINLINE static void first(void) { use_many(1, 0); }
NOINLINE static void second(void) { use_many(2, 1); }

int main(void) {
  unsigned random = 7;
  for (int i = 0; i < LOCKS; i++) {
    random = random * 1664525 + 1013904223;
    int other = (int)((random >> 8) % (unsigned)(i + 1));
    place[i] = place[other];
    place[other] = i;
    pthread_mutex_init(&locks[i], NULL);
  }
  run_ordered(first, second);
}
