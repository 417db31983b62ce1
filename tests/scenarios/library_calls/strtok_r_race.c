// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// also: c++
// names: #0 strtok_r (
#include "scenario.h"

char shared[32] = "some text";
char other[64];
static __thread char *rest;

NOINLINE static void writer(void) {
  shared[4] = ' '; // here
}
NOINLINE static void reader(void) {
  strtok_r(shared, " ", &rest); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
