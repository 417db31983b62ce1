// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: shared
#include "scenario.h"

// Bytes 5 to 12: the access straddles two aligned words, the byte is in the second.
struct __attribute__((packed)) {
  char before[5];
  long straddling;
  char after[3];
} shared __attribute__((aligned(16)));

NOINLINE static void write_it(void) {
  shared.straddling = 7; // here
}
NOINLINE static void read_it(void) {
  CONSUME(((char *)&shared)[12]); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
