// expect: none
// orders: write-read read-write
// also: c++
#include "scenario.h"

char shared[100], source[100];
size_t length = 60;

NOINLINE static void write_it(void) { memcpy(shared + 20, source, length); }
NOINLINE static void read_it(void) {
  CONSUME(shared[80]);
  CONSUME(shared[19]);
  CONSUME(source[3]);
}

int main(void) { run_accesses(run_two, write_it, read_it); }
