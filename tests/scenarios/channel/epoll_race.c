// expect: data race
// also: c++
// names: payload
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "scenario.h"

// The payload is written after the descriptor was passed on.
int set, counter;
int payload;

NOINLINE static void sender(void) {
  struct epoll_event event = {EPOLLIN, {0}};
  if (epoll_ctl(set, EPOLL_CTL_ADD, counter, &event)) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  struct epoll_event event;
  if (epoll_wait(set, &event, 1, -1) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  set = epoll_create1(0);
  counter = eventfd(1, 0);
  run_two(sender, receiver);
}
