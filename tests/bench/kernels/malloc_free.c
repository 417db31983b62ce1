/* Blocks of mixed sizes come and go; a thousand are alive at any time. */
#include "../bench.h"

enum { LIVE = 1024 };

static void work(unsigned worker, uint64_t rounds) {
  uint64_t **blocks = (uint64_t **)calloc(LIVE, sizeof *blocks);
  if (blocks == NULL) exit(2);
  uint64_t state = bench_seed(worker);
  uint64_t sum = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    uint64_t number = bench_random(&state) >> 20;
    unsigned slot = (unsigned)(number % LIVE);
    if (blocks[slot] != NULL) {
      sum += blocks[slot][0];
      free(blocks[slot]);
    }
    size_t bytes = 16 + (number >> 12) % 512;
    blocks[slot] = (uint64_t *)bench_alloc(bytes);
    blocks[slot][0] = number;
    blocks[slot][bytes / 8 - 1] = bytes;
  }
  for (unsigned i = 0; i < LIVE; i++) free(blocks[i]);
  free(blocks);
  bench_publish(sum);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 2500000));
  return bench_finish();
}
