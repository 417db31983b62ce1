// expect: none
// also: c++
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/mman.h>

#include "scenario.h"

// One thread moves a mapping after the other has used it, and uses it where it
// is now; one that only gets shorter may be used meanwhile.
char *memory, *other;

NOINLINE static void use(void) { memory[100] = 1; }
NOINLINE static void move(void) {
  char *moved = (char *)mremap(memory, 4096, 1 << 20, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED || moved[100] != 1) abort();
  moved[100] = 2;
  munmap(moved, 1 << 20);
}
NOINLINE static void use_start(void) { other[100] = 1; }
NOINLINE static void shorten(void) {
  if (mremap(other, 8192, 4096, 0) != other) abort();
}

int main(void) {
  memory = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  other = (char *)mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  run_joined(use, move);
  take_step();
  pthread_t thread;
  struct actor actor = {use_start, 2};
  pthread_create(&thread, NULL, act, &actor);
  shorten();
  pthread_join(thread, NULL);
}
