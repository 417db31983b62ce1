/* Writes at random places of a 4-byte and of an 8-byte table, private to each
 * worker and larger than the second-level cache. */
#include "../bench.h"

enum { ENTRIES = 1 << 20, BATCH = 1 << 16 };

static BENCH_NOINLINE void write_narrow(uint32_t *table, uint64_t *state) {
  for (unsigned i = 0; i < BATCH; i++) {
    uint64_t value = bench_random(state);
    table[value % ENTRIES] = (uint32_t)(value >> 32);
  }
}

static BENCH_NOINLINE void write_wide(uint64_t *table, uint64_t *state) {
  for (unsigned i = 0; i < BATCH; i++) {
    uint64_t value = bench_random(state);
    table[value % ENTRIES] = value;
  }
}

static void work(unsigned worker, uint64_t batches) {
  uint32_t *narrow = (uint32_t *)calloc(ENTRIES, sizeof *narrow);
  uint64_t *wide = (uint64_t *)calloc(ENTRIES, sizeof *wide);
  if (narrow == NULL || wide == NULL) exit(2);
  uint64_t state = bench_seed(worker);
  for (uint64_t batch = 0; batch < batches; batch++) {
    write_narrow(narrow, &state);
    write_wide(wide, &state);
    bench_publish(state);
  }
  uint64_t sum = 0;
  for (size_t i = 0; i < ENTRIES; i++) sum += wide[i] ^ narrow[i];
  bench_publish(sum);
  free(wide);
  free(narrow);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 200));
  return bench_finish();
}
