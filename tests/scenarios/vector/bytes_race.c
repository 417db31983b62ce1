// expect: data race
// orders: write-read read-write
// names: shared
// tsan: misses: it does not check the processor's masked stores
#include <emmintrin.h>

#include "scenario.h"

char shared[16];

NOINLINE static void write_it(void) {
  __m128i selected = _mm_setr_epi8(0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  _mm_maskmoveu_si128(_mm_set1_epi8(7), selected, shared); // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared[3]); // here
}

int main(void) { run_accesses(run_two, write_it, read_it); }
