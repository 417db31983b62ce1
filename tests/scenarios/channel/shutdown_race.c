// expect: data race
// also: c++
// names: payload
#include <sys/socket.h>
#include <unistd.h>

#include "scenario.h"

// Who shuts down a socket says nothing to those who receive at another.
int ends[2], others[2];
int payload;

NOINLINE static void ender(void) {
  payload = 1; // here
  if (shutdown(others[0], SHUT_RDWR)) abort();
}
NOINLINE static void receives(void) {
  char message[2];
  if (recv(ends[0], message, 1, 0) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, others)) return 1;
  if (send(ends[1], "m", 1, 0) != 1) return 1;
  run_two(ender, receives);
}
