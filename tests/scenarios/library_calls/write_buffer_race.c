// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 write (
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

char shared[8];
int null;

NOINLINE static void writer(void) {
  shared[3] = 1; // here
}
NOINLINE static void reader(void) {
  if (write(null, shared, 8) != 8) abort(); // here
}

int main(void) {
  null = open("/dev/null", O_WRONLY);
  run_accesses(run_two, writer, reader);
}
