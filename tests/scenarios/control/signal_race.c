// expect: data race
// names: shared, handle
#include <signal.h>

#include "scenario.h"

// The handler runs in the second thread and touches what the first one wrote.
int shared;

static void handle(int number) {
  shared = number; // here
}
NOINLINE static void first(void) {
  shared = 1; // here
}
NOINLINE static void second(void) { raise(SIGUSR1); }

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, NULL);
  run_two(first, second);
}
