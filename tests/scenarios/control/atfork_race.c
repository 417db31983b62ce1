// expect: data race
// names: shared
// Handlers around a fork; the child goes on being checked.
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void before(void) { pthread_mutex_lock(&mutex); }
static void after(void) { pthread_mutex_unlock(&mutex); }

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex);
  shared = 1; // here
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  shared = 2; // here
}

int main(void) {
  int status = 0;
  pthread_atfork(before, after, after);
  pid_t child = fork();
  if (child == 0) {
    run_two(first, second);
    return 0;
  }
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}
