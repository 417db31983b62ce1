/* A read-mostly table behind a read-write lock: one write in 64. Every pair in
 * the table adds up to the same number whenever the lock is free. */
#include "../bench.h"

enum { PAIRS = 64, TOTAL = 1000000 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int32_t left[PAIRS];
static int32_t right[PAIRS];

static void work(unsigned worker, uint64_t rounds) {
  uint64_t state = bench_seed(worker);
  uint64_t sum = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    uint64_t number = bench_random(&state) >> 16;
    unsigned pair = (unsigned)(number % PAIRS);
    if (round % 64 == 0) {
      int32_t change = (int32_t)(number >> 40) - 64;
      pthread_rwlock_wrlock(&lock);
      left[pair] += change;
      right[pair] -= change;
      pthread_rwlock_unlock(&lock);
    } else {
      pthread_rwlock_rdlock(&lock);
      sum += (uint64_t)(left[pair] + right[pair]);
      pthread_rwlock_unlock(&lock);
    }
  }
  bench_publish(sum);
}

int main(int argc, char **argv) {
  for (unsigned i = 0; i < PAIRS; i++) right[i] = TOTAL;
  bench_run(work, bench_amount(argc, argv, 4000000));
  for (unsigned i = 0; i < PAIRS; i++) bench_publish((uint64_t)left[i] * (i + 1));
  return bench_finish();
}
