// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 fscanf
#include "scenario.h"

int shared;

NOINLINE static void writer(void) {
  char text[] = "7";
  FILE *file = fmemopen(text, 1, "r");
  if (fscanf(file, "%d", &shared) != 1) abort(); // here
  fclose(file);
}
NOINLINE static void reader(void) {
  CONSUME(shared); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
