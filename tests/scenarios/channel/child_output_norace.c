// expect: none
// tsan: false alarm, it does not know the functions
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// A process writes to a pipe that it inherits.
int payload;
int ends[2];

NOINLINE static void publish(void) {
  payload = 42;
  pid_t child = fork();
  if (child == 0) _exit(write(ends[1], "hi", 2) != 2);
  if (waitpid(child, NULL, 0) != child) abort();
}
NOINLINE static void use(void) {
  char buffer[2];
  if (read(ends[0], buffer, 2) != 2) abort();
  CONSUME(payload);
}

int main(void) {
  if (pipe(ends)) abort();
  run_two(publish, use);
}
