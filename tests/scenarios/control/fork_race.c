// expect: data race
// names: shared
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// The parent goes on detecting after a fork.
int shared;

NOINLINE static void first(void) {
  shared = 1; // here
}
NOINLINE static void second(void) {
  shared = 2; // here
}

int main(void) {
  int status;
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (waitpid(child, &status, 0) != child || status != 0) return 1;
  run_two(first, second);
}
