// expect: none
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// The child is a process of its own: it may write what the parent's threads
// used, and start threads itself.
int shared;

static void *hold(void *unused) {
  shared = 1;
  take_step();
  wait_for_step(2);
  return unused;
}
static void *add(void *unused) {
  shared += 1;
  return unused;
}

int main(void) {
  pthread_t thread, other;
  int status;
  pthread_create(&thread, NULL, hold, NULL);
  wait_for_step(1);
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (waitpid(child, &status, 0) != child || status != 0) return 1;
  take_step();
  pthread_join(thread, NULL);
  child = fork();
  if (child == 0) {
    pthread_create(&other, NULL, add, NULL);
    pthread_join(other, NULL);
    exit(shared == 2 ? 0 : 3);
  }
  if (waitpid(child, &status, 0) != child || status != 0) return 2;
}
