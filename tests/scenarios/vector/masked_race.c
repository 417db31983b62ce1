// expect: data race
// orders: first-second second-first
// flags: -mavx2
// names: shared
// tsan: misses: it does not see masked stores
#include <immintrin.h>

#include "scenario.h"

// Both masks select element 2.
int shared[8] __attribute__((aligned(32)));

NOINLINE static void write_low(void) {
  __m256i mask = _mm256_setr_epi32(-1, -1, -1, 0, 0, 0, 0, 0);
  _mm256_maskstore_epi32(shared, mask, _mm256_set1_epi32(1)); // here
}
NOINLINE static void write_high(void) {
  __m256i mask = _mm256_setr_epi32(0, 0, -1, -1, -1, -1, -1, -1);
  _mm256_maskstore_epi32(shared, mask, _mm256_set1_epi32(2)); // here
}

int main(void) { run_ordered(write_low, write_high); }
