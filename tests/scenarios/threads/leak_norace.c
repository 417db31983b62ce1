// expect: none
// also: c++
#include <unistd.h>

#include "scenario.h"

// A detached thread cleans up after itself, and one that runs until the end of
// the process is not forgotten.
static int id;

INVISIBLE static void wait_until_gone(void) {
  while (syscall(SYS_tgkill, getpid(), id, 0) == 0) continue;
}

INVISIBLE static void *work(void *unused) {
  id = (int)syscall(SYS_gettid);
  take_step();
  return unused;
}

INVISIBLE static void *stay(void *unused) {
  take_step();
  wait_for_step(100);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  pthread_create(&thread, NULL, stay, NULL);
  wait_for_step(2);
  wait_until_gone();
}
