// expect: none
// also: c++
#include <sys/socket.h>

#include "scenario.h"

int ends[2];
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  if (send(ends[1], "m", 1, 0) != 1) abort();
}
NOINLINE static void receiver(void) {
  char message;
  if (recv(ends[0], &message, 1, 0) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
  run_two(sender, receiver);
}
