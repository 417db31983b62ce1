// expect: data race
// orders: write-read read-write
// names: shared
// tsan: misses: it does not check the processor's gathers
#include <immintrin.h>

#include "scenario.h"

int shared[64];

NOINLINE static void write_it(void) {
  shared[42] = 1; // here
}
__attribute__((target("avx2"))) NOINLINE static void read_it(void) {
  if (!__builtin_cpu_supports("avx2")) {
    CONSUME(shared[42]);
    return;
  }
  __m128i places = _mm_setr_epi32(3, 42, 5, 7);
  CONSUME(_mm_i32gather_epi32(shared, places, 4)); // here
}

int main(void) { run_accesses(run_two, write_it, read_it); }
