// expect: none
// A semaphore with a name, opened twice.
#include <fcntl.h>
#include <semaphore.h>
#include <unistd.h>

#include "scenario.h"

static char name[64];
static sem_t *posting, *waiting;
int shared;

NOINLINE static void sender(void) {
  shared = 1;
  sem_post(posting);
}
NOINLINE static void receiver(void) {
  sem_wait(waiting);
  CONSUME(shared);
}

int main(void) {
  snprintf(name, sizeof name, "/scenario-%d", (int)getpid());
  posting = sem_open(name, O_CREAT, 0600, 0);
  waiting = sem_open(name, 0);
  sem_unlink(name);
  run_two(sender, receiver);
  sem_close(waiting);
  sem_close(posting);
}
