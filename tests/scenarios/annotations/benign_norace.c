// expect: none
// tsan: skip, the annotations header is not among its own
// orders: write-read read-write write-write
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

long counter[4];
int flag;
ANNOTATE_BENIGN_RACE_STATIC(flag, "a hint, wrong values do no harm");

NOINLINE static void write_it(void) {
  counter[2] = 1;
  flag = 1;
}
NOINLINE static void read_it(void) {
  CONSUME(counter[2]);
  CONSUME(flag);
}

int main(void) {
  ANNOTATE_BENIGN_RACE_SIZED(counter, sizeof(counter), "statistics");
  run_accesses(run_two, write_it, read_it);
}
