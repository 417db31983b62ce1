// expect: data race with free
// orders: first-second
// also: c++
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/mman.h>

#include "scenario.h"

// One thread moves a mapping that another still uses.
char *memory;

NOINLINE static void use(void) {
  memory[100] = 1; // here
}
NOINLINE static void move(void) {
  void *moved = mremap(memory, 4096, 1 << 20, MREMAP_MAYMOVE); // here
  if (moved == MAP_FAILED) abort();
}

int main(void) {
  memory = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  run_two(use, move);
}
