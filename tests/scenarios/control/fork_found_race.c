// expect: data race
// names: shared
// tsan: skip, a forked child ends with the findings of its parent
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// A child that is forked after a race was found has found nothing itself: it
// ends with what it wanted to.
int shared;

NOINLINE static void first(void) { shared = 1; } // here
NOINLINE static void second(void) { shared = 2; } // here

int main(void) {
  int status;
  run_two(first, second);
  pid_t child = fork();
  if (child == 0) exit(0);
  if (waitpid(child, &status, 0) != child || status != 0) return 1;
  return 0;
}
