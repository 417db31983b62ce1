// expect: data race
// names: payload
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// One thread makes a process, another waits for its end.
int payload;

NOINLINE static void publish(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child < 0) abort();
  payload = 42; // here
}
NOINLINE static void use(void) {
  int status;
  if (waitpid(-1, &status, 0) < 0 || status != 0) abort();
  CONSUME(payload); // here
}

int main(void) { run_two(publish, use); }
