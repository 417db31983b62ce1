// expect: data race
// orders: write-read
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE -Wno-deprecated-declarations
// names: #0 drand48 (, #0 lrand48 (, #0 ecvt (, #0 fcvt (, #0 getprotobynumber (, #0 getservent (, #0 gethostent (, #0 getlogin (, #0 tmpnam (, #0 hcreate (, #0 hdestroy (, #0 getopt (
// reports: any
// tsan: skip, it does not know all of the functions
#include <netdb.h>
#include <search.h>
#include <unistd.h>

#include "scenario.h"

// What libc keeps for all threads.
static char *words[] = {(char *)"program", NULL};

NOINLINE static void writer(void) {
  CONSUME(drand48()); // here
  CONSUME(ecvt(1, 3, &(int){0}, &(int){0})); // here
  CONSUME(getprotobynumber(6)); // here
  CONSUME(gethostent()); // here
  CONSUME(getlogin()); // here
  CONSUME(tmpnam(NULL)); // here
  hcreate(4); // here
  CONSUME(getopt(1, words, "x")); // here
}
NOINLINE static void reader(void) {
  CONSUME(lrand48()); // here
  CONSUME(fcvt(2, 3, &(int){0}, &(int){0})); // here
  CONSUME(getservent()); // here
  CONSUME(gethostent()); // here
  CONSUME(getlogin()); // here
  CONSUME(tmpnam(NULL)); // here
  hdestroy(); // here
  CONSUME(getopt(1, words, "x")); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
