// expect: none
// also: c++
// orders: receives waits
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scenario.h"

// Who hears at a socket that nothing more will come, by reading or waiting,
// comes after the thread that shut it down at the same end.
int ends[2], set;
int payload;

NOINLINE static void ender(void) {
  payload = 1;
  if (shutdown(ends[0], SHUT_RDWR)) abort();
}
NOINLINE static void waits(void) {
  struct epoll_event event;
  if (epoll_wait(set, &event, 1, -1) != 1) abort();
  CONSUME(payload);
}
NOINLINE static void receives(void) {
  char message[2];
  if (recv(ends[0], message, 1, 0) != 0) abort();
  CONSUME(payload);
}

int main(void) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
  set = epoll_create1(0);
  if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event)) return 1;
  run_two(ender, ordered("waits") ? waits : receives);
}
