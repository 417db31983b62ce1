// expect: data race
// orders: write-read
// opt: O1
// flags: -fno-builtin
// names: #0 localtime (, #0 gmtime (, the buffer that localtime
#include <time.h>

#include "scenario.h"


NOINLINE static void writer(void) {
  time_t now = 1;
  CONSUME(localtime(&now)->tm_year); // here
}
NOINLINE static void reader(void) {
  time_t now = 2;
  CONSUME(gmtime(&now)->tm_year); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
