// expect: data race
// orders: write-read
// opt: O1
// flags: -fno-builtin
// names: #0 getpwnam (, #0 getpwuid (
#include <pwd.h>

#include "scenario.h"


NOINLINE static void writer(void) {
  CONSUME(getpwnam("root")); // here
}
NOINLINE static void reader(void) {
  CONSUME(getpwuid(0)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
