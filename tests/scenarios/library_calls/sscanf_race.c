// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0, scanf
#include "scenario.h"

int shared;
char text[8] = "12 x";

NOINLINE static void writer(void) {
  shared = 1; // here
}
NOINLINE static void reader(void) {
  if (sscanf(text, "%d", &shared) != 1) abort(); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
