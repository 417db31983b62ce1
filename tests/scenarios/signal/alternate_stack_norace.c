// expect: none
// also: c++
// orders: first-second second-first
#include <signal.h>

#include "scenario.h"

// The handler has a stack of its own, on which it calls, too; then the thread
// goes on with its own, and uses that memory for something else.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int payload;
static char stack[1 << 16];

NOINLINE static int look(int number) { return payload + number; }
static void handle(int number) {
  int sum = look(number);
  char *here = (char *)&sum;
  CONSUME(sum);
  if (here < stack || here >= stack + sizeof stack) abort();
}

NOINLINE static void receive(void) {
  stack_t alternate;
  pthread_mutex_lock(&mutex);
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
  alternate.ss_flags = SS_DISABLE;
  sigaltstack(&alternate, NULL);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void change(void) {
  pthread_mutex_lock(&mutex);
  payload = 1;
  memset(stack, 1, sizeof stack);
  pthread_mutex_unlock(&mutex);
}

int main(void) { run_ordered(receive, change); }
