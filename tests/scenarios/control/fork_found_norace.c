// expect: none
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// As the twin, but one thread ends before the other begins.
int shared;

NOINLINE static void first(void) { shared = 1; }
NOINLINE static void second(void) { shared = 2; }

int main(void) {
  int status;
  run_joined(first, second);
  pid_t child = fork();
  if (child == 0) exit(0);
  if (waitpid(child, &status, 0) != child || status != 0) return 1;
  return 0;
}
