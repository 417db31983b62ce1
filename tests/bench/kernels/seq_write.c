/* Sequential writes of 8-byte words; each worker fills an array of its own
 * and publishes after every fill. The generator keeps it scalar. */
#include "../bench.h"

enum { WORDS = 1 << 18 };

static BENCH_NOINLINE void fill(uint64_t *array, size_t words, uint64_t state) {
  for (size_t i = 0; i < words; i++) {
    state = (state ^ (state >> 9)) + i;
    array[i] = state;
  }
}

static void work(unsigned worker, uint64_t passes) {
  uint64_t *array = (uint64_t *)bench_alloc(WORDS * sizeof *array);
  for (uint64_t pass = 0; pass < passes; pass++) {
    fill(array, WORDS, bench_seed(worker) + pass);
    bench_publish(array[pass % WORDS] ^ array[WORDS - 1]);
  }
  free(array);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 400));
  return bench_finish();
}
