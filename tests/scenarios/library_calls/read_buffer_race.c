// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// also: c++
// names: #0 read (
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

char shared[8];
int zero;

NOINLINE static void writer(void) {
  shared[3] = 1; // here
}
NOINLINE static void reader(void) {
  if (read(zero, shared, 8) != 8) abort(); // here
}

int main(void) {
  zero = open("/dev/zero", O_RDONLY);
  run_accesses(run_two, writer, reader);
}
