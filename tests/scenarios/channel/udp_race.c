// expect: data race
// also: c++
// names: payload
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scenario.h"

// The payload is written after the message was sent.
static struct sockaddr_in address;
static int listener, client, server;

INVISIBLE static void make_address(void) {
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

int payload;

NOINLINE static void sender(void) {
  if (sendto(client, "m", 1, 0, (struct sockaddr *)&address, sizeof address) != 1) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  char message;
  struct sockaddr_in from;
  socklen_t len = sizeof from;
  if (recvfrom(server, &message, 1, 0, (struct sockaddr *)&from, &len) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  socklen_t len = sizeof address;
  make_address();
  server = socket(AF_INET, SOCK_DGRAM, 0);
  client = socket(AF_INET, SOCK_DGRAM, 0);
  listener = -1;
  if (bind(server, (struct sockaddr *)&address, len)) return 1;
  if (getsockname(server, (struct sockaddr *)&address, &len)) return 1;
  run_two(sender, receiver);
}
