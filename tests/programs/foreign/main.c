// One half of a program whose parts are built by different compilers: threads,
// locks, atomics, plain accesses of all sizes. With an argument it races on
// `shared`, which the other half touches too.
#include "part.h"
#include "../../scenarios/scenario.h"

int shared;
struct record records[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag, counter;
static unsigned char bytes[64];
static __thread int depth;

NOINLINE static int recurse(int levels) {
  depth = levels;
  return levels ? recurse(levels - 1) + 1 : depth;
}

NOINLINE static void work(int round) {
  pthread_mutex_lock(&mutex);
  fill(&records[round & 1], round);
  check_sum(&records[round & 1], round);
  for (int i = 0; i < 64; ++i) bytes[i] += (unsigned char)round;
  pthread_mutex_unlock(&mutex);
  int expected = __atomic_load_n(&counter, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&counter, &expected, expected + 1, 1, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED)) {
  }
  if (recurse(round) != round) abort();
}

NOINLINE static void first(void) {
  shared = 1; // race
  for (int round = 0; round < 100; ++round) work(round);
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}
NOINLINE static void second(void) {
  if (ordered("race")) touch(2);
  if (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) abort();
  touch(3);
  for (int round = 0; round < 100; ++round) work(round);
}

int main(void) {
  run_two(first, second);
  if (counter != 200) abort();
  return 0;
}
