// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 fgets (
#include "scenario.h"

char shared[32];
FILE *stream;

NOINLINE static void writer(void) {
  shared[1] = 1; // here
}
NOINLINE static void reader(void) {
  if (!fgets(shared, sizeof shared, stream)) abort(); // here
}

int main(void) {
  stream = fopen("/proc/self/comm", "r");
  run_accesses(run_two, writer, reader);
}
