// expect: none
// also: c++
// Of a barrier of two processes, who waits at it elsewhere is not seen.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

int main(void) {
  int status = 1;
  pthread_barrierattr_t attributes;
  pthread_barrier_t *barrier = (pthread_barrier_t *)mmap(
      NULL, 4096, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(barrier, &attributes, 2);
  pid_t child = fork();
  for (int round = 0; round < 3; ++round) pthread_barrier_wait(barrier);
  if (child == 0) exit(0);
  waitpid(child, &status, 0);
  pthread_barrier_destroy(barrier);
  return status != 0;
}
