// expect: data race
// also: c++
// names: payload
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "scenario.h"

// The payload is written after the message was sent.
static struct sockaddr_un address;
static int listener, client, server;

int payload;

NOINLINE static void sender(void) {
  if (send(server, "m", 1, 0) != 1) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  char message;
  if (recv(client, &message, 1, 0) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  socklen_t len = offsetof(struct sockaddr_un, sun_path) + 1;
  address.sun_family = AF_UNIX;
  len += (socklen_t)snprintf(address.sun_path + 1, 100, "racert-scenario-%d", (int)getpid());
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, len) || listen(listener, 1)) return 1;
  client = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(client, (struct sockaddr *)&address, len)) return 1;
  server = accept(listener, NULL, NULL);
  run_two(sender, receiver);
}
