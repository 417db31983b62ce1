// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: numbers
// reports: any
#include "scenario.h"

// What a search looks at, the program's own function compares.
int numbers[4] = {1, 2, 3, 4};

NOINLINE static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b; // here
}

NOINLINE static void writer(void) {
  numbers[3] = 5; // here
}
NOINLINE static void reader(void) {
  int wanted = 4;
  CONSUME(bsearch(&wanted, numbers, 4, sizeof *numbers, compare));
}

int main(void) { run_accesses(run_two, writer, reader); }
