// expect: none
// orders: write-read read-write
// The lane that would write what is read is not selected.
#include <immintrin.h>

#include "scenario.h"

double shared[64];

__attribute__((target("avx512f"))) NOINLINE static void write_it(void) {
  if (!__builtin_cpu_supports("avx512f")) return;
  __m512i places = _mm512_setr_epi64(3, 42, 5, 7, 9, 11, 13, 15);
  _mm512_mask_i64scatter_pd(shared, 0xfd, places, _mm512_set1_pd(2), 8);
  if (shared[3] != 2 || shared[15] != 2 || shared[4] != 0) abort();
}
NOINLINE static void read_it(void) {
  CONSUME(shared[42]);
}

int main(void) { run_accesses(run_two, write_it, read_it); }
