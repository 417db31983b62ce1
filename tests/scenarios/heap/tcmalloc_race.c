// expect: data race
// orders: first-second second-first
// flags: -l:libtcmalloc_minimal.a -lstdc++ -lm
// needs: gperftools/tcmalloc.h
// tsan: skip, both bring a malloc
#include <gperftools/tcmalloc.h>

#include "scenario.h"

// A tcmalloc that is linked in; a thread gives a block back that another uses.
int *block;

NOINLINE static void use(void) { block[3] = 1; }  // here
NOINLINE static void give_back(void) { free(block); }  // here

int main(void) {
  if (tc_version(NULL, NULL, NULL) == NULL) abort();
  block = calloc(16, sizeof *block);
  run_ordered(use, give_back);
}
