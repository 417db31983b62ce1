// expect: none
// also: c++
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "scenario.h"

static struct sockaddr_un address;
static int listener, client, server;

int payload;

NOINLINE static void sender(void) {
  payload = 1;
  if (send(server, "m", 1, 0) != 1) abort();
}
NOINLINE static void receiver(void) {
  char message;
  if (recv(client, &message, 1, 0) != 1) abort();
  CONSUME(payload);
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
