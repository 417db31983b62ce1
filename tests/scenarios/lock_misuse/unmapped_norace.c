// expect: none
// also: c++
// A mutex of two processes stays when one of them unmaps it.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

int main(void) {
  int status = 1;
  pthread_mutexattr_t attributes;
  pthread_mutex_t *lock =
      (pthread_mutex_t *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(lock, &attributes);
  pthread_mutex_lock(lock);
  pid_t child = fork();
  if (child == 0) {
    munmap(lock, 4096);
    exit(0);
  }
  waitpid(child, &status, 0);
  pthread_mutex_unlock(lock);
  return status != 0;
}
