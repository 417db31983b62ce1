// expect: none
// tsan: skip, the annotations header is not among its own
// orders: write-read read-write
// also: c++
#include "racert/annotations.h"
#include "scenario.h"

int hidden_write, hidden_read, hidden_both, unprotected;

NOINLINE static void write_it(void) {
  ANNOTATE_IGNORE_WRITES_BEGIN();
  hidden_write = 1;
  ANNOTATE_IGNORE_WRITES_END();
  hidden_read = 1;
  ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN();
  ++hidden_both;
  ANNOTATE_IGNORE_READS_AND_WRITES_END();
  unprotected = 1;
}
NOINLINE static void read_it(void) {
  CONSUME(hidden_write);
  ANNOTATE_IGNORE_READS_BEGIN();
  CONSUME(hidden_read);
  ANNOTATE_IGNORE_READS_END();
  CONSUME(hidden_both);
  CONSUME(ANNOTATE_UNPROTECTED_READ(unprotected));
}

int main(void) { run_accesses(run_two, write_it, read_it); }
