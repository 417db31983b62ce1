// expect: data race
// also: c++
// names: payload
#include <sys/timerfd.h>
#include <unistd.h>

#include "scenario.h"

// The payload is written after the timer was set.
int timer;
int payload;

NOINLINE static void sender(void) {
  struct itimerspec soon = {{0, 0}, {0, 1}};
  if (timerfd_settime(timer, 0, &soon, NULL)) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  unsigned long long times;
  if (read(timer, &times, sizeof times) != sizeof times) abort();
  CONSUME(payload); // here
}

int main(void) {
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  run_two(sender, receiver);
}
