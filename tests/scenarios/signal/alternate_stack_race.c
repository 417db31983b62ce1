// expect: data race
// also: c++
// names: payload, handle
// orders: first-second second-first
#include <signal.h>

#include "scenario.h"

// The handler has a stack of its own, on which it calls, too. What the program
// does to the payload afterwards is not ordered with it.
int payload;
static char stack[1 << 16];

NOINLINE static int look(int number) {
  return payload + number; // here
}
static void handle(int number) {
  int sum = look(number);
  char *here = (char *)&sum;
  CONSUME(sum);
  if (here < stack || here >= stack + sizeof stack) abort();
}

NOINLINE static void receive(void) {
  stack_t alternate;
  memset(&alternate, 0, sizeof alternate);
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
}
NOINLINE static void change(void) {
  payload = 1; // here
}

int main(void) { run_ordered(receive, change); }
