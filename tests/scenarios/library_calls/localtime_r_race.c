// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 localtime_r (
#include <time.h>

#include "scenario.h"

struct tm shared;

NOINLINE static void writer(void) {
  shared.tm_year = 1; // here
}
NOINLINE static void reader(void) {
  time_t now = 2;
  localtime_r(&now, &shared); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
