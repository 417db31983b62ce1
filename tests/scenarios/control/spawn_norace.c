// expect: none
// Programs are started while threads run.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

extern char **environ;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

NOINLINE static void start(void) {
  char program[] = "/bin/true";
  char *arguments[] = {program, NULL};
  int status = 1;
  pid_t child;
  if (posix_spawn(&child, program, NULL, NULL, arguments, environ)) abort();
  waitpid(child, &status, 0);
  if (status != 0) abort();
  child = vfork();
  if (child == 0) {
    execv(program, arguments);
    _exit(127);
  }
  waitpid(child, &status, 0);
  if (status != 0) abort();
}

NOINLINE static void first(void) {
  start();
  pthread_mutex_lock(&mutex);
  shared = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  start();
  pthread_mutex_lock(&mutex);
  shared = 2;
  pthread_mutex_unlock(&mutex);
}

int main(void) { run_two(first, second); }
