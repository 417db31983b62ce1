// expect: none
// tsan: false alarm, it does not know the functions
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// A program that was started writes to a pipe.
int payload;
int ends[2];
extern char **environ;

NOINLINE static void publish(void) {
  payload = 42;
  char echo[] = "echo", text[] = "hi";
  char *arguments[] = {echo, text, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  pid_t child;
  if (posix_spawnp(&child, echo, &actions, NULL, arguments, environ)) abort();
  posix_spawn_file_actions_destroy(&actions);
  if (waitpid(child, NULL, 0) != child) abort();
}
NOINLINE static void use(void) {
  char buffer[3];
  if (read(ends[0], buffer, 3) != 3) abort();
  CONSUME(payload);
}

int main(void) {
  if (pipe(ends)) abort();
  run_two(publish, use);
}
