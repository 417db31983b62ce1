// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: shared
#include "scenario.h"

union {
  int word;
  char bytes[4];
} shared;

NOINLINE static void write_it(void) {
  shared.word = 7; // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared.bytes[2]); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
