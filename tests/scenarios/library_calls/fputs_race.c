// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 fputs (
#include "scenario.h"

char shared[32] = "some text";
char other[64];
FILE *stream;

NOINLINE static void writer(void) {
  shared[1] = 'S'; // here
}
NOINLINE static void reader(void) {
  fputs(shared, stream); // here
}

int main(void) {
  stream = fopen("/dev/null", "w");
  run_accesses(run_two, writer, reader);
}
