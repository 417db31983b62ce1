// expect: none
#include <signal.h>

#include "scenario.h"

// A handler that interrupts its own thread does not race with it.
volatile int shared;

static void handle(int number) { shared += number; }

static void *work(void *unused) {
  for (int i = 0; i < 1000; ++i) {
    shared += 1;
    raise(SIGUSR1);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return shared != 1000 * (SIGUSR1 + 1);
}
