// expect: thread leak
// also: c++
// names: neither joined nor detached
#include <unistd.h>

#include "scenario.h"

// A thread that has ended keeps its stack until somebody joins it.
static int id;

INVISIBLE static void wait_until_gone(void) {
  while (syscall(SYS_tgkill, getpid(), id, 0) == 0) continue;
}

INVISIBLE static void *work(void *unused) {
  id = (int)syscall(SYS_gettid);
  take_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL); // here
  wait_for_step(1);
  wait_until_gone();
}
