// expect: data race
// also: c++
// names: payload
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scenario.h"

// The payload is written after the connection was asked for.
static struct sockaddr_in address;
static int listener, client, server;

INVISIBLE static void make_address(void) {
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

int payload;

NOINLINE static void sender(void) {
  if (connect(client, (struct sockaddr *)&address, sizeof address)) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  server = accept(listener, NULL, NULL);
  if (server < 0) abort();
  CONSUME(payload); // here
}

int main(void) {
  socklen_t len = sizeof address;
  make_address();
  listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, len) || listen(listener, 1)) return 1;
  if (getsockname(listener, (struct sockaddr *)&address, &len)) return 1;
  client = socket(AF_INET, SOCK_STREAM, 0);
  run_two(sender, receiver);
}
