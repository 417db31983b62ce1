// expect: none
// also: c++
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/mman.h>

#include "scenario.h"

// The end that a mapping loses, and that another gets, has no history.
char *memory;

NOINLINE static void first(void) { memory[5000] = 1; }
NOINLINE static void second(void) {
  if (mremap(memory, 8192, 4096, 0) != memory) abort();
  char *end = (char *)mmap(memory + 4096, 4096, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  end[904] = 2;
}

int main(void) {
  memory = (char *)mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  run_joined(first, second);
}
