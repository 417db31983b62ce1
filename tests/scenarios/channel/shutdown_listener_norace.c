// expect: none
// also: c++
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scenario.h"

// Who is told that nobody can connect any more comes after who shut down the
// listening socket: so threads that accept connections are made to end.
static struct sockaddr_in address;
static int listener;
int payload;

INVISIBLE static void make_address(void) {
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

NOINLINE static void ender(void) {
  payload = 1;
  if (shutdown(listener, SHUT_RDWR)) abort();
}
NOINLINE static void accepts(void) {
  if (accept(listener, NULL, NULL) != -1 || errno != EINVAL) abort();
  CONSUME(payload);
}

int main(void) {
  make_address();
  listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1)) return 1;
  run_two(ender, accepts);
}
