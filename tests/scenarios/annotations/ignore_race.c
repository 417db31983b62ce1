// expect: data race
// tsan: skip, the annotations header is not among its own
// orders: write-read read-write
// also: c++
// names: shared
// What is ignored ends where the annotation does, and reads are not writes.
#include "racert/annotations.h"
#include "scenario.h"

int shared, before;

NOINLINE static void write_it(void) {
  ANNOTATE_IGNORE_WRITES_BEGIN();
  ANNOTATE_IGNORE_WRITES_BEGIN();
  before = 1;
  ANNOTATE_IGNORE_WRITES_END();
  before = 2;
  ANNOTATE_IGNORE_WRITES_END();
  ANNOTATE_IGNORE_READS_BEGIN();
  shared = 1; // here
  ANNOTATE_IGNORE_READS_END();
}
NOINLINE static void read_it(void) {
  CONSUME(before);
  CONSUME(shared); // here
}

int main(void) { run_accesses(run_two, write_it, read_it); }
