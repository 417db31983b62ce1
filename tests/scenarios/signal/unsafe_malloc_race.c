// expect: signal-unsafe call in a signal handler
// also: c++
// names: handle, malloc
#include <signal.h>
#include <sys/time.h>

#include "scenario.h"

volatile sig_atomic_t done;
void *block;

static void handle(int number) {
  block = malloc(16); // here
  done = number;
}

int main(void) {
  struct itimerval once = {{0, 0}, {0, 1000}};
  sigset_t alarms, before;
  signal(SIGALRM, handle);
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarms, &before);
  setitimer(ITIMER_REAL, &once, NULL);
  while (!done) sigsuspend(&before);
}
