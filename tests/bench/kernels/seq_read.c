/* Sequential reads of 8-byte words; each worker scans an array of its own and
 * publishes the result of every scan. The running hash keeps it scalar. */
#include "../bench.h"

enum { WORDS = 1 << 18 };

static BENCH_NOINLINE uint64_t scan(const uint64_t *array, size_t words) {
  uint64_t hash = 1;
  for (size_t i = 0; i < words; i++) hash = (hash ^ array[i]) + (hash >> 9);
  return hash;
}

static void work(unsigned worker, uint64_t passes) {
  uint64_t *array = (uint64_t *)bench_alloc(WORDS * sizeof *array);
  uint64_t state = bench_seed(worker);
  for (size_t i = 0; i < WORDS; i++) array[i] = bench_random(&state);
  for (uint64_t pass = 0; pass < passes; pass++) {
    bench_publish(scan(array, WORDS - pass % 16));
  }
  free(array);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 400));
  return bench_finish();
}
