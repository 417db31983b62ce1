// expect: none
// also: c++
// tsan: false alarm, it does not know the functions
#include <sys/ipc.h>
#include <sys/shm.h>

#include "scenario.h"

// Two segments of System V at one address, one after the other: what a thread
// did in the first is no race with what another does in the second.
static char *place;

INVISIBLE static char *get_place(void) { return place; }
INVISIBLE static void set_place(char *to) { place = to; }

NOINLINE static char *attach(char *where) {
  int segment = shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600);
  char *memory = (char *)shmat(segment, where, 0);
  shmctl(segment, IPC_RMID, NULL);
  if (memory == (char *)-1) abort();
  return memory;
}
NOINLINE static void first(void) {
  char *memory = attach(NULL);
  memory[5000] = 1;
  set_place(memory);
  if (shmdt(memory)) abort();
}
NOINLINE static void second(void) {
  char *memory = attach(get_place());
  memory[5000] = 2;
  shmdt(memory);
}

int main(void) {
  run_two(first, second);
}
