// expect: none
// also: c++
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scenario.h"

static struct sockaddr_in address;
static int listener, client, server;

INVISIBLE static void make_address(void) {
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

int payload;

NOINLINE static void sender(void) {
  payload = 1;
  if (write(client, "m", 1) != 1) abort();
}
NOINLINE static void receiver(void) {
  char message;
  if (read(server, &message, 1) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  socklen_t len = sizeof address;
  make_address();
  listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, len) || listen(listener, 1)) return 1;
  if (getsockname(listener, (struct sockaddr *)&address, &len)) return 1;
  client = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(client, (struct sockaddr *)&address, len)) return 1;
  server = accept(listener, NULL, NULL);
  run_two(sender, receiver);
}
