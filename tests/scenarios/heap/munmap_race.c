// expect: data race with free
// orders: first-second
// also: c++
#include <sys/mman.h>

#include "scenario.h"

// One thread unmaps what another still uses.
char *memory;

NOINLINE static void use(void) {
  memory[100] = 1; // here
}
NOINLINE static void give_back(void) {
  munmap(memory, 4096); // here
}

int main(void) {
  memory = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  run_two(use, give_back);
}
