// expect: none
// orders: write-read read-write
// The lane that would read what is written is not selected.
#include <immintrin.h>

#include "scenario.h"

int shared[64];

NOINLINE static void write_it(void) { shared[42] = 1; }

__attribute__((target("avx2"))) NOINLINE static void read_it(void) {
  if (!__builtin_cpu_supports("avx2")) return;
  __m128i places = _mm_setr_epi32(3, 42, 5, 7);
  __m128i selected = _mm_setr_epi32(-1, 0, -1, -1);
  __m128i otherwise = _mm_set1_epi32(9);
  __m128i read = _mm_mask_i32gather_epi32(otherwise, shared, places, selected, 4);
  if (_mm_extract_epi32(read, 1) != 9 || _mm_extract_epi32(read, 2) != 0) abort();
  // Two lanes of eight bytes' addresses, four of data: the others are zero.
  __m128i wide = _mm_set_epi64x(5, 3);
  read = _mm_mask_i64gather_epi32(otherwise, shared, wide, _mm_set1_epi32(-1), 4);
  if (_mm_extract_epi32(read, 0) != 0 || _mm_extract_epi32(read, 3) != 0) abort();
}

int main(void) { run_accesses(run_two, write_it, read_it); }
