/* A table built by the main thread and then only read, by all workers. */
#include "../bench.h"

enum { ENTRIES = 1 << 15, BUCKETS = 1 << 14, BATCH = 1 << 14 };

struct entry {
  uint64_t key;
  uint32_t value;
  int32_t next;
};

static struct entry *entries;
static int32_t *buckets;

static unsigned bucket_of(uint64_t key) { return (unsigned)((key * 0x9e3779b97f4a7c15u) >> 50); }

static BENCH_NOINLINE uint32_t find(uint64_t key) {
  for (int32_t at = buckets[bucket_of(key)]; at >= 0; at = entries[at].next) {
    if (entries[at].key == key) return entries[at].value;
  }
  return 1;
}

static void work(unsigned worker, uint64_t batches) {
  uint64_t state = bench_seed(worker);
  for (uint64_t batch = 0; batch < batches; batch++) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < BATCH; i++) sum += find((bench_random(&state) >> 20) % (2 * ENTRIES));
    bench_publish(sum);
  }
}

int main(int argc, char **argv) {
  entries = (struct entry *)bench_alloc(ENTRIES * sizeof *entries);
  buckets = (int32_t *)bench_alloc(BUCKETS * sizeof *buckets);
  for (unsigned i = 0; i < BUCKETS; i++) buckets[i] = -1;
  for (int32_t i = 0; i < ENTRIES; i++) {
    entries[i].key = 2 * (uint64_t)i;
    entries[i].value = (uint32_t)i * 7 + 3;
    unsigned bucket = bucket_of(entries[i].key);
    entries[i].next = buckets[bucket];
    buckets[bucket] = i;
  }
  bench_run(work, bench_amount(argc, argv, 350));
  free(buckets);
  free(entries);
  return bench_finish();
}
