// expect: none
// tsan: false alarm, it does not know the functions
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// One thread makes a process, another waits for its end.
int payload;

NOINLINE static void publish(void) {
  payload = 42;
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child < 0) abort();
}
NOINLINE static void use(void) {
  int status;
  if (waitpid(-1, &status, 0) < 0 || status != 0) abort();
  CONSUME(payload);
}

int main(void) { run_two(publish, use); }
