/* All workers want the same lock, with a little work of their own between. */
#include "../bench.h"

enum { HISTOGRAM = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t histogram[HISTOGRAM];

static void work(unsigned worker, uint64_t rounds) {
  uint64_t state = bench_seed(worker);
  for (uint64_t round = 0; round < rounds; round++) {
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++) value ^= bench_random(&state);
    pthread_mutex_lock(&lock);
    histogram[value % HISTOGRAM]++;
    histogram[(value >> 32) % HISTOGRAM] += value >> 56;
    pthread_mutex_unlock(&lock);
  }
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 1000000));
  uint64_t sum = 0;
  for (unsigned i = 0; i < HISTOGRAM; i++) sum = sum * 31 + histogram[i];
  bench_publish(sum);
  return bench_finish();
}
