// expect: data race
// orders: write-read
// opt: O1
// flags: -fno-builtin
// names: #0 gethostbyname (, the buffer that gethostbyname
#include <netdb.h>

#include "scenario.h"

NOINLINE static void writer(void) {
  CONSUME(gethostbyname("127.0.0.1")); // here
}
NOINLINE static void reader(void) {
  CONSUME(gethostbyname("127.0.0.2")); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
