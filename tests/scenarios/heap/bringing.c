// A malloc of the program's own, in code that no detector sees: lists of free
// blocks by size, behind a lock that is made of one instruction.
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "invisible.h"

#define BROUGHT __attribute__((disable_sanitizer_instrumentation, noinline))
enum { CLASSES = 28, HEADER = 16 };

static char memory[64 << 20] __attribute__((aligned(4096)));
static size_t used = 4096;
static void *lists[CLASSES];
static int lock;

BROUGHT static void enter(void) {
  int taken;
  do {
    taken = 1;
    __asm__ volatile("xchgl %0, (%1)" : "+r"(taken) : "r"(&lock) : "memory");
  } while (taken);
}

BROUGHT static void leave(void) { __asm__ volatile("movl $0, (%0)" : : "r"(&lock) : "memory"); }

BROUGHT void *malloc(size_t size) {
  size_t class = 5;
  while (((size_t)1 << class) < size + HEADER) ++class;
  if (class >= CLASSES) return NULL;
  enter();
  char *block = lists[class];
  if (block) {
    lists[class] = *(void **)block;
  } else if (used + ((size_t)1 << class) <= sizeof memory) {
    block = memory + used + HEADER;
    used += (size_t)1 << class;
    *(size_t *)(block - HEADER) = class;
  }
  leave();
  return block;
}

BROUGHT size_t malloc_usable_size(void *block) {
  return block ? ((size_t)1 << *(size_t *)((char *)block - HEADER)) - HEADER : 0;
}

BROUGHT void free(void *block) {
  if (!block) return;
  size_t class = *(size_t *)((char *)block - HEADER);
  enter();
  *(void **)block = lists[class];
  lists[class] = block;
  leave();
}

BROUGHT void *calloc(size_t count, size_t size) {
  char *block = malloc(count * size);
  for (size_t i = 0; block && i < count * size; ++i) ((volatile char *)block)[i] = 0;
  return block;
}

BROUGHT void *realloc(void *old, size_t size) {
  char *block = malloc(size);
  size_t kept = malloc_usable_size(old);
  for (size_t i = 0; block && i < kept && i < size; ++i)
    ((volatile char *)block)[i] = ((volatile char *)old)[i];
  if (block) free(old);
  return block;
}

BROUGHT void *memalign(size_t alignment, size_t size) {
  (void)alignment;
  return malloc(size);
}
BROUGHT void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
BROUGHT int posix_memalign(void **out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
