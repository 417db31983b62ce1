// expect: none
// orders: write-read read-write
#include <emmintrin.h>

#include "scenario.h"

char shared[16];

NOINLINE static void write_it(void) {
  __m128i selected = _mm_setr_epi8(0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  _mm_maskmoveu_si128(_mm_set1_epi8(7), selected, shared);
}
NOINLINE static void read_it(void) {
  CONSUME(shared[4]);
}

int main(void) { run_accesses(run_two, write_it, read_it); }
