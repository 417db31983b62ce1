// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: optarg, #0 getopt (
// reports: any
// tsan: skip, it does not know the functions
#include <getopt.h>

#include "scenario.h"

// Where it tells what it found is the program's to read.
static char *words[] = {(char *)"program", (char *)"-x", (char *)"1", NULL};

NOINLINE static void writer(void) {
  CONSUME(optarg); // here
}
NOINLINE static void reader(void) {
  CONSUME(getopt(3, words, "x:")); // here
}

int main(void) { run_accesses(run_two, writer, reader); }
