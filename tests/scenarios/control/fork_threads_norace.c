// expect: none
// tsan: false alarm: what the parent's threads did is not ordered before the child's threads
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// Whatever the parent's threads did before the fork is past for the child and
// for its threads, although nobody has joined those threads.
int shared;
int *block;

static void *hold(void *unused) {
  shared = 1;
  block[1000] = 1;
  take_step();
  wait_for_step(2);
  return unused;
}
static void *use(void *unused) {
  shared += 1;
  block[1000] += 1;
  free(block);
  return unused;
}

int main(void) {
  pthread_t thread, other;
  int status;
  block = (int *)malloc(100000);
  pthread_create(&thread, NULL, hold, NULL);
  wait_for_step(1);
  pid_t child = fork();
  if (child == 0) {
    pthread_create(&other, NULL, use, NULL);
    pthread_join(other, NULL);
    exit(shared == 2 ? 0 : 3);
  }
  if (waitpid(child, &status, 0) != child || status != 0) return 2;
  take_step();
  pthread_join(thread, NULL);
}
