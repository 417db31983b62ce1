// expect: data race
// orders: first-second second-first
// also: c++
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/mman.h>

#include "scenario.h"

// What a mapping keeps when it gets shorter keeps its history.
char *memory;

NOINLINE static void first(void) {
  memory[100] = 1; // here
}
NOINLINE static void second(void) {
  if (mremap(memory, 8192, 4096, 0) != memory) abort();
  memory[100] = 2; // here
}

int main(void) {
  memory = (char *)mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  run_ordered(first, second);
}
