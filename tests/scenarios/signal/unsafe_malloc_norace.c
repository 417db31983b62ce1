// expect: none
// also: c++
#include <signal.h>

#include "scenario.h"

// A thread that raises a signal itself is not in the middle of anything.
volatile sig_atomic_t done;
void *block;

static void handle(int number) {
  block = malloc(16);
  done = number;
}

int main(void) {
  signal(SIGUSR1, handle);
  raise(SIGUSR1);
  return !done;
}
