// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 qsort (
// reports: any
#include "scenario.h"

int shared[4] = {4, 3, 2, 1};
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

NOINLINE static void writer(void) {
  shared[3] = 7; // here
}
NOINLINE static void reader(void) {
  qsort(shared, 4, sizeof *shared, compare); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
