// expect: data race
// tsan: skip, the annotations header is not among its own
// orders: write-read read-write write-write
// also: c++
// names: counter
#include "racert/annotations.h"
#include "scenario.h"

int counter[2];

NOINLINE static void write_it(void) {
  counter[0] = 1;
  counter[1] = 1; // here: write-read read-write write-write
}
NOINLINE static void read_it(void) {
  CONSUME(counter[0]);
  CONSUME(counter[1]); // here: write-read read-write
}

int main(void) {
  ANNOTATE_BENIGN_RACE(&counter[0], "only the first");
  run_accesses(run_two, write_it, read_it);
}
