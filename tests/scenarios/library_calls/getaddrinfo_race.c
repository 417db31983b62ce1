// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 getaddrinfo (
#include <netdb.h>
#include <sys/socket.h>

#include "scenario.h"

char shared[32] = "127.0.0.1";

NOINLINE static void writer(void) {
  shared[0] = '1'; // here
}
NOINLINE static void reader(void) {
  struct addrinfo *found = NULL, hints = {0};
  hints.ai_flags = AI_NUMERICHOST;
  if (getaddrinfo(shared, NULL, &hints, &found) == 0) freeaddrinfo(found); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
