// expect: data race
// orders: write-read
// opt: O1
// flags: -fno-builtin
// names: #0 asctime (, #0 ctime (
#include <time.h>

#include "scenario.h"

struct tm parts;

NOINLINE static void writer(void) {
  CONSUME(asctime(&parts)); // here
}
NOINLINE static void reader(void) {
  time_t now = 1;
  CONSUME(ctime(&now)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
