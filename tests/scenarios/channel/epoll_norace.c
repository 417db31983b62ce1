// expect: none
// also: c++
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "scenario.h"

// What belongs to a descriptor is passed on with it.
int set, counter;
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  struct epoll_event event = {EPOLLIN, {0}};
  if (epoll_ctl(set, EPOLL_CTL_ADD, counter, &event)) abort();
}
NOINLINE static void receiver(void) {
  struct epoll_event event;
  if (epoll_wait(set, &event, 1, -1) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  set = epoll_create1(0);
  counter = eventfd(1, 0);
  run_two(sender, receiver);
}
