// expect: data race
// orders: write-read read-write
// names: shared
// tsan: misses: it does not check the processor's scatters
#include <immintrin.h>

#include "scenario.h"

double shared[64];

__attribute__((target("avx512f"))) NOINLINE static void write_it(void) {
  if (!__builtin_cpu_supports("avx512f")) {
    shared[42] = 1;
    return;
  }
  __m512i places = _mm512_setr_epi64(3, 42, 5, 7, 9, 11, 13, 15);
  _mm512_i64scatter_pd(shared, places, _mm512_set1_pd(2), 8); // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared[42]); // here
}

int main(void) { run_accesses(run_two, write_it, read_it); }
