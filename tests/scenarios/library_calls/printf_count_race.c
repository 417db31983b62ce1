// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 sprintf (
#include "scenario.h"

int count;
char other[64];

NOINLINE static void writer(void) {
  count = 1; // here
}
NOINLINE static void reader(void) {
  sprintf(other, "four%n", &count); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
