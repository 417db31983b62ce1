// expect: data race
// orders: first-second second-first
#define _GNU_SOURCE
#include <sys/mman.h>

#include "scenario.h"

// Pages that were made accessible and given back to the kernel are memory like
// any other.
enum { SIZE = 1 << 16 };
char *pages;

NOINLINE static void first(void) {
  if (madvise(pages, SIZE / 2, MADV_DONTNEED)) abort();
  pages[SIZE - 8] = 1;  // here
}
NOINLINE static void second(void) {
  if (madvise(pages, SIZE / 2, MADV_DONTNEED)) abort();
  pages[SIZE - 8] = 2;  // here
}

int main(void) {
  pages = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages, SIZE, PROT_READ | PROT_WRITE)) abort();
  run_ordered(first, second);
  munmap(pages, SIZE);
}
