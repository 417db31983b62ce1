// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: shared
#include "scenario.h"

typedef int four __attribute__((vector_size(16)));
four shared;

NOINLINE static void write_it(void) {
  shared = (four){1, 2, 3, 4}; // here
}
NOINLINE static void read_it(void) {
  CONSUME(((int *)&shared)[3]); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
