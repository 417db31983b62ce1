// expect: free of a locked mutex
// also: c++
// names: it holds itself
#include <sys/mman.h>

#include "scenario.h"

int main(void) {
  pthread_mutex_t *lock =
      (pthread_mutex_t *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
  pthread_mutex_init(lock, NULL);
  pthread_mutex_lock(lock); // here
  munmap(lock, 4096);       // here
}
