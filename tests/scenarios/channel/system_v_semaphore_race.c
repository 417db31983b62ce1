// expect: data race
// names: payload
#include <sys/ipc.h>
#include <sys/sem.h>

#include "scenario.h"

// A semaphore of System V.
int payload;
int set;

NOINLINE static void publish(void) {
  struct sembuf raise = {1, 1, 0};
  if (semop(set, &raise, 1)) abort();
  payload = 42; // here
}
NOINLINE static void use(void) {
  struct sembuf lower = {1, -1, 0};
  if (semop(set, &lower, 1)) abort();
  CONSUME(payload); // here
}

int main(void) {
  set = semget(IPC_PRIVATE, 2, IPC_CREAT | 0600);
  if (set < 0) abort();
  run_two(publish, use);
  semctl(set, 0, IPC_RMID);
}
