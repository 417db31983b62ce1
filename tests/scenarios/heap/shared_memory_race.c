// expect: data race with free
// also: c++
// tsan: misses, it does not know the functions
#include <sys/ipc.h>
#include <sys/shm.h>

#include "scenario.h"

// One thread detaches a segment of System V that another still uses.
static char *memory;

NOINLINE static void use(void) {
  memory[5000] = 1; // here
}
NOINLINE static void detach(void) {
  shmdt(memory); // here
}

int main(void) {
  int segment = shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600);
  memory = (char *)shmat(segment, NULL, 0);
  shmctl(segment, IPC_RMID, NULL);
  if (memory == (char *)-1) abort();
  run_two(use, detach);
}
