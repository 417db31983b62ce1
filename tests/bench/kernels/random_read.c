/* Reads at random places of a 4-byte and of an 8-byte table, private to each
 * worker and larger than the second-level cache. */
#include "../bench.h"

enum { ENTRIES = 1 << 20, BATCH = 1 << 16 };

static BENCH_NOINLINE uint64_t read_narrow(const uint32_t *table, uint64_t *state) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < BATCH; i++) sum += table[bench_random(state) % ENTRIES];
  return sum;
}

static BENCH_NOINLINE uint64_t read_wide(const uint64_t *table, uint64_t *state) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < BATCH; i++) sum += table[bench_random(state) % ENTRIES];
  return sum;
}

static void work(unsigned worker, uint64_t batches) {
  uint32_t *narrow = (uint32_t *)bench_alloc(ENTRIES * sizeof *narrow);
  uint64_t *wide = (uint64_t *)bench_alloc(ENTRIES * sizeof *wide);
  uint64_t state = bench_seed(worker);
  for (size_t i = 0; i < ENTRIES; i++) {
    wide[i] = bench_random(&state);
    narrow[i] = (uint32_t)wide[i];
  }
  for (uint64_t batch = 0; batch < batches; batch++) {
    bench_publish(read_narrow(narrow, &state));
    bench_publish(read_wide(wide, &state));
  }
  free(wide);
  free(narrow);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 100));
  return bench_finish();
}
