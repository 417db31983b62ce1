// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 setenv (, #0 getenv (, the environment
#include "scenario.h"


NOINLINE static void writer(void) {
  setenv("RACERT_SCENARIO", "1", 1); // here
}
NOINLINE static void reader(void) {
  CONSUME(getenv("RACERT_SCENARIO")); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
