// expect: data race
// exit: 66
// names: shared
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// A process made by clone is checked like any other.
int shared;

NOINLINE static void first(void) {
  shared = 1; // here
}
NOINLINE static void second(void) {
  shared = 2; // here
}

static int child(void *unused) {
  (void)unused;
  shared = 3;
  run_two(first, second);
  exit(0);
}

int main(void) {
  static char stack[1 << 20] __attribute__((aligned(16)));
  int status;
  run_joined(first, first);
  int pid = clone(child, stack + sizeof stack, SIGCHLD, NULL);
  if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return 1;
  return WEXITSTATUS(status);
}
