// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: shared
#include "scenario.h"

char shared[100], source[100];
size_t length = 60;

NOINLINE static void write_it(void) {
  memcpy(shared + 20, source, length); // here
}
NOINLINE static void read_it(void) {
  CONSUME(shared[79]); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
