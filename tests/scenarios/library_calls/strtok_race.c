// expect: data race
// orders: write-read
// opt: O1
// flags: -fno-builtin
// names: #0 strtok (, the state of strtok
#include "scenario.h"

char a[8] = "x y";
char b[8] = "x y";

NOINLINE static void writer(void) {
  CONSUME(strtok(a, " ")); // here
}
NOINLINE static void reader(void) {
  CONSUME(strtok(b, " ")); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
