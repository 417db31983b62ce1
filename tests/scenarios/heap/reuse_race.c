// expect: data race
// also: c++
#include "scenario.h"

// The block is handed over without synchronisation, not reused.
int *handed_over[100];

NOINLINE static void fill(void) {
  for (int i = 0; i < 100; ++i) {
    int *block = (int *)malloc(32);
    block[0] = i;
    handed_over[i] = block;
  }
}
NOINLINE static void use(void) {
  CONSUME(handed_over[99]); // here
}

int main(void) { run_two(fill, use); }
