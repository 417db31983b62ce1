// expect: none
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// A process that goes into the background is still checked there; its exit
// code comes back through a pipe.
int shared;

NOINLINE static void first(void) {
  __atomic_store_n(&shared, 1, __ATOMIC_RELAXED);
}
NOINLINE static void second(void) {
  __atomic_store_n(&shared, 2, __ATOMIC_RELAXED);
}

int main(void) {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  pid_t waiter = fork();
  if (waiter != 0) {
    char code = 1;
    close(ends[1]);
    if (read(ends[0], &code, 1) != 1 || waitpid(waiter, NULL, 0) != waiter) return 1;
    return code;
  }
  // Its descriptors stay as they are: the report goes to one of them.
  if (daemon(1, 1) != 0) return 1;
  pid_t child = fork();
  if (child == 0) {
    run_two(first, second);
    exit(0);
  }
  int status;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 1;
  char code = (char)WEXITSTATUS(status);
  return write(ends[1], &code, 1) == 1 ? 0 : 1;
}
