// expect: data race
// names: shared
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// Threads of a forked child race with each other, and the child's exit code
// says so; the parent passes it on.
int shared;

static void *hold(void *unused) {
  take_step();
  wait_for_step(4);
  return unused;
}
NOINLINE static void *first(void *unused) {
  shared = 1; // here
  take_step();
  return unused;
}
NOINLINE static void *second(void *unused) {
  wait_for_step(2);
  shared = 2; // here
  return unused;
}

int main(void) {
  pthread_t thread, threads[2];
  int status;
  pthread_create(&thread, NULL, hold, NULL);
  wait_for_step(1);
  pid_t child = fork();
  if (child == 0) {
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    exit(0);
  }
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 1;
  take_step();
  take_step();
  take_step();
  pthread_join(thread, NULL);
  return WEXITSTATUS(status);
}
