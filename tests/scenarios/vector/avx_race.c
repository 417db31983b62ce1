// expect: data race
// orders: write-read read-write write-write
// flags: -mavx2
// names: shared
// tsan: misses: it does not check accesses of 32 bytes
#include "scenario.h"

typedef long four __attribute__((vector_size(32)));
four shared;

NOINLINE static void write_it(void) {
  shared = (four){1, 2, 3, 4}; // here
}
NOINLINE static void read_it(void) {
  CONSUME(((long *)&shared)[3]); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
