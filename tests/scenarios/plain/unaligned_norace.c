// expect: none
// orders: write-read read-write
// also: c++
#include "scenario.h"

struct __attribute__((packed)) {
  char before[5];
  long straddling;
  char after[3];
} shared __attribute__((aligned(16)));

NOINLINE static void write_it(void) { shared.straddling = 7; }
NOINLINE static void read_it(void) {
  CONSUME(shared.before[4]);
  CONSUME(shared.after[0]);
}

int main(void) { run_accesses(run_two, write_it, read_it); }
