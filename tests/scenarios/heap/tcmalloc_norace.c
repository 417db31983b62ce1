// expect: none
// flags: -l:libtcmalloc_minimal.a -lstdc++ -lm
// needs: gperftools/tcmalloc.h
// tsan: skip, both bring a malloc
#include <gperftools/tcmalloc.h>

#include "scenario.h"

// A tcmalloc that is linked in; large blocks come from a heap that all threads
// share.
enum { LARGE = 1 << 20 };

NOINLINE static void fill(int value) {
  char *block = malloc(LARGE);
  for (int i = 0; i < LARGE; i += 64) block[i] = (char)value;
  CONSUME(block);
  free(block);
}
NOINLINE static void use_first(void) { fill(1); }
NOINLINE static void use_second(void) { fill(2); }

int main(void) {
  if (tc_version(NULL, NULL, NULL) == NULL) abort();
  run_two(use_first, use_second);
}
