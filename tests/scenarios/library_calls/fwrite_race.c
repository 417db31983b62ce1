// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 fwrite (
#include "scenario.h"

char shared[32];
FILE *stream;

NOINLINE static void writer(void) {
  shared[1] = 1; // here
}
NOINLINE static void reader(void) {
  if (fwrite(shared, 1, 8, stream) != 8) abort(); // here
}

int main(void) {
  stream = fopen("/dev/null", "w");
  run_accesses(run_two, writer, reader);
}
