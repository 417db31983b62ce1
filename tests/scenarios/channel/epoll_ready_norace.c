// expect: none
// also: c++
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "scenario.h"

// Who hears that a descriptor can be read from comes after who wrote to it,
// and may close it.
int set, counter;
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  unsigned long long one = 1;
  if (write(counter, &one, sizeof one) != sizeof one) abort();
}
NOINLINE static void receiver(void) {
  struct epoll_event event;
  if (epoll_wait(set, &event, 1, -1) != 1) abort();
  CONSUME(payload);
  close(counter);
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
