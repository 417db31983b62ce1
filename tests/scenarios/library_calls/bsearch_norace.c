// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include "scenario.h"

// A search does not look at all elements.
int numbers[4] = {1, 2, 3, 4};

NOINLINE static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

NOINLINE static void writer(void) { numbers[0] = 0; }
NOINLINE static void reader(void) {
  int wanted = 4;
  CONSUME(bsearch(&wanted, numbers, 4, sizeof *numbers, compare));
}

int main(void) { run_accesses(run_two, writer, reader); }
