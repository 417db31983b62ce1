// expect: signal handler changes errno
// also: c++
// names: handle
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "scenario.h"

volatile sig_atomic_t done;

static void handle(int number) {
  close(-1);
  done = number;
}

int main(void) {
  struct itimerval once = {{0, 0}, {0, 1000}};
  signal(SIGALRM, handle);
  setitimer(ITIMER_REAL, &once, NULL);
  while (!done) continue;
}
