// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 sprintf (
#include "scenario.h"

char shared[32];

NOINLINE static void writer(void) {
  shared[1] = 1; // here
}
NOINLINE static void reader(void) {
  sprintf(shared, "%d", 12345); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
