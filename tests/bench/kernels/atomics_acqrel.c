/* Acquire and release operations: reference counts, flags and a compare and
 * swap, on objects that both workers use. */
#include "../bench.h"

#include <stdatomic.h>

enum { OBJECTS = 16 };

struct object {
  _Atomic uint32_t references;
  _Atomic uint32_t seen[BENCH_WORKERS];
  char apart[52];
};

static struct object objects[OBJECTS];

static void work(unsigned worker, uint64_t rounds) {
  uint64_t sum = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    struct object *object = &objects[((round >> 6) + worker * 8) % OBJECTS];
    atomic_fetch_add_explicit(&object->references, 1, memory_order_acq_rel);
    uint32_t before = atomic_load_explicit(&object->seen[worker], memory_order_acquire);
    atomic_store_explicit(&object->seen[worker], before + 1, memory_order_release);
    uint32_t expected = before + 1;
    sum += atomic_compare_exchange_strong_explicit(&object->seen[worker], &expected, before + 2,
                                                   memory_order_acq_rel, memory_order_acquire);
    atomic_fetch_sub_explicit(&object->references, 1, memory_order_acq_rel);
  }
  bench_publish(sum);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 6000000));
  for (unsigned i = 0; i < OBJECTS; i++) {
    bench_publish(atomic_load(&objects[i].references) + 1);
    bench_publish((uint64_t)atomic_load(&objects[i].seen[0]) * atomic_load(&objects[i].seen[1]));
  }
  return bench_finish();
}
