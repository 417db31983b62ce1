// expect: none
#define _GNU_SOURCE
#include <sys/mman.h>

#include "scenario.h"

// Pages are made accessible, used, given back to the kernel and used again,
// each time by the thread that holds the lock.
enum { SIZE = 1 << 16 };
char *pages;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void use(void) {
  pthread_mutex_lock(&mutex);
  if (mprotect(pages, SIZE, PROT_READ | PROT_WRITE)) abort();
  for (int i = 0; i < SIZE; i += 8) pages[i] = 1;
  if (madvise(pages, SIZE, MADV_DONTNEED)) abort();
  for (int i = 0; i < SIZE; i += 8)
    if (pages[i]) abort();
  if (mprotect(pages, SIZE, PROT_NONE)) abort();
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pages = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) abort();
  run_two(use, use);
  munmap(pages, SIZE);
}
