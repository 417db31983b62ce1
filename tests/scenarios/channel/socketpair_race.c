// expect: data race
// also: c++
// names: payload
#include <sys/socket.h>

#include "scenario.h"

// The payload is written after the message was sent.
int ends[2];
int payload;

NOINLINE static void sender(void) {
  if (send(ends[1], "m", 1, 0) != 1) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  char message;
  if (recv(ends[0], &message, 1, 0) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
  run_two(sender, receiver);
}
