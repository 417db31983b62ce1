// expect: none
// tsan: false alarm, it does not know the functions
#include <sys/ipc.h>
#include <sys/sem.h>

#include "scenario.h"

// One thread waits until another has lowered a semaphore of System V to zero.
int payload;
int set;

NOINLINE static void publish(void) {
  payload = 42;
  struct sembuf lower = {1, -1, 0};
  if (semop(set, &lower, 1)) abort();
}
NOINLINE static void use(void) {
  struct sembuf wait = {1, 0, 0};
  if (semop(set, &wait, 1)) abort();
  CONSUME(payload);
}

int main(void) {
  set = semget(IPC_PRIVATE, 2, IPC_CREAT | 0600);
  if (set < 0 || semctl(set, 1, SETVAL, 1)) abort();
  run_two(publish, use);
  semctl(set, 0, IPC_RMID);
}
