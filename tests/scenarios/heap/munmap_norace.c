// expect: none
// orders: first-second
// also: c++
#include <sys/mman.h>

#include "scenario.h"

// Memory that is mapped again where it was has no history.
char *memory;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void use(void) {
  pthread_mutex_lock(&mutex);
  memory[100] = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void give_back(void) {
  pthread_mutex_lock(&mutex);
  munmap(memory, 4096);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  memory = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  run_two(use, give_back);
}
