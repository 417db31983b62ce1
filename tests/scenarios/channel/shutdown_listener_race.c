// expect: data race
// also: c++
// names: payload
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scenario.h"

// A thread that finds nobody connecting learns nothing of one that shut down
// another socket.
static struct sockaddr_in address;
static int listeners[2];
int payload;

INVISIBLE static void make_address(void) {
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

NOINLINE static void ender(void) {
  payload = 1; // here
  if (shutdown(listeners[0], SHUT_RDWR)) abort();
}
NOINLINE static void accepts(void) {
  if (accept(listeners[1], NULL, NULL) != -1 || errno != EAGAIN) abort();
  CONSUME(payload); // here
}

int main(void) {
  make_address();
  for (int i = 0; i < 2; i++) {
    listeners[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (bind(listeners[i], (struct sockaddr *)&address, sizeof address)) return 1;
    if (listen(listeners[i], 1)) return 1;
  }
  run_two(ender, accepts);
}
