// expect: none
// also: c++
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "scenario.h"

// A handler may change errno if it puts it back; and nobody else does.
volatile sig_atomic_t done;

static void handle(int number) {
  int before = errno;
  close(-1);
  errno = before;
  done = number;
}

int main(void) {
  struct itimerval once = {{0, 0}, {0, 1000}};
  signal(SIGALRM, handle);
  errno = 77;
  setitimer(ITIMER_REAL, &once, NULL);
  while (!done) continue;
  return errno != 77;
}
