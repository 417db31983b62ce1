/* Relaxed statistics counters, read and added to by both workers. */
#include "../bench.h"

#include <stdatomic.h>

enum { COUNTERS = 32 };

struct counter {
  _Atomic uint64_t hits;
  _Atomic uint64_t limit;
  char apart[48];
};

static struct counter counters[COUNTERS];

static void work(unsigned worker, uint64_t rounds) {
  uint64_t sum = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    struct counter *counter = &counters[((round >> 6) + worker * 16) % COUNTERS];
    sum += atomic_load_explicit(&counter->limit, memory_order_relaxed);
    atomic_fetch_add_explicit(&counter->hits, round & 7, memory_order_relaxed);
  }
  bench_publish(sum);
}

int main(int argc, char **argv) {
  for (unsigned i = 0; i < COUNTERS; i++) atomic_store(&counters[i].limit, i * 3);
  bench_run(work, bench_amount(argc, argv, 20000000));
  for (unsigned i = 0; i < COUNTERS; i++) bench_publish(atomic_load(&counters[i].hits) * (i + 1));
  return bench_finish();
}
