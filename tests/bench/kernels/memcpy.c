/* Copies, moves and fills of 16 bytes to 4 kilobytes inside a private arena. */
#include "../bench.h"

#include <string.h>

enum { ARENA = 1 << 20, LONGEST = 4096 };

static void work(unsigned worker, uint64_t batches) {
  unsigned char *arena = (unsigned char *)bench_alloc(ARENA + LONGEST);
  uint64_t state = bench_seed(worker);
  memset(arena, (int)worker + 1, ARENA + LONGEST);
  for (size_t i = 0; i < ARENA; i += 64) arena[i] = (unsigned char)bench_random(&state);
  for (uint64_t batch = 0; batch < batches; batch++) {
    for (unsigned i = 0; i < 1000; i++) {
      uint64_t number = bench_random(&state);
      size_t bytes = 16 + ((number >> 8) % LONGEST >> (number % 8));
      unsigned char *from = arena + (number >> 20) % (ARENA / 2 - LONGEST);
      unsigned char *to = arena + ARENA / 2 + (number >> 42) % (ARENA / 2);
      switch (i % 8) {
        case 0:
          memset(from, (int)(number >> 60), bytes);
          break;
        case 1:
          memmove(from + 8, from, bytes);
          break;
        default:
          memcpy(to, from, bytes);
      }
    }
    bench_publish(arena[(state >> 7) % ARENA]);
  }
  uint64_t sum = 0;
  for (size_t i = 0; i < ARENA; i += 16) sum = sum * 31 + arena[i];
  bench_publish(sum);
  free(arena);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 2500));
  return bench_finish();
}
