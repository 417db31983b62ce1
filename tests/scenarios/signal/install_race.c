// expect: data race
// also: c++
// names: payload, handle
#include <signal.h>

#include "scenario.h"

// The payload is written after the handler was installed.
int payload;

static void handle(int number) {
  CONSUME(payload + number); // here
}

NOINLINE static void install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, NULL);
  payload = 1; // here
}
NOINLINE static void raise_it(void) { raise(SIGUSR1); }

int main(void) { run_two(install, raise_it); }
