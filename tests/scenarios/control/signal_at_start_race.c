// expect: data race
// names: shared
// timeout: 300
#include "scenario.h"

#include <signal.h>
#include <sys/time.h>

int shared;

static void handler(int signal) { (void)signal; }
static void *nothing(void *argument) { return argument; }

NOINLINE static void first(void) {
  shared = 1; // here
}
NOINLINE static void second(void) {
  shared = 2; // here
}

int main(void) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  struct itimerval often = {{0, 10}, {0, 10}}, never = {{0, 0}, {0, 0}};
  if (sigaction(SIGPROF, &action, NULL) != 0 || setitimer(ITIMER_PROF, &often, NULL) != 0)
    return 3;
  for (int i = 0; i < 1000; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0)
      return 4;
    pthread_join(thread, NULL);
  }
  setitimer(ITIMER_PROF, &never, NULL);
  run_two(first, second);
}
