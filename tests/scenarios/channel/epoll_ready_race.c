// expect: data race
// also: c++
// names: payload
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "scenario.h"

// Written after the descriptor has become ready.
int set, counter;
int payload;

NOINLINE static void sender(void) {
  unsigned long long one = 1;
  if (write(counter, &one, sizeof one) != sizeof one) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  struct epoll_event event;
  if (epoll_wait(set, &event, 1, -1) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  set = epoll_create1(0);
  counter = eventfd(0, 0);
  struct epoll_event event;
  event.events = EPOLLIN;
  event.data.u64 = 42;
  if (epoll_ctl(set, EPOLL_CTL_ADD, counter, &event)) abort();
  run_two(sender, receiver);
}
