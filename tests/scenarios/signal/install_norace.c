// expect: none
// also: c++
#include <signal.h>

#include "scenario.h"

// What was done before a handler was installed is known to it, on whichever
// thread it runs.
int payload;

static void handle(int number) { CONSUME(payload + number); }

NOINLINE static void install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  payload = 1;
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, NULL);
}
NOINLINE static void raise_it(void) { raise(SIGUSR1); }

int main(void) { run_two(install, raise_it); }
