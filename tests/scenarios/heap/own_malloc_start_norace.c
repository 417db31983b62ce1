// expect: none
// flags: -fno-builtin
// A program's own malloc takes over what another thread has left, in the first
// call that a new thread makes. That call is libc's, before the thread runs.
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "scenario.h"

static _Alignas(16) char memory[1 << 22];
static atomic_size_t used;

// What threads leave behind.
static long left[16], nothing[16];
static _Atomic(long *) abandoned;
static _Thread_local long *mine;

static void adopt(void) {
  if (!mine) mine = atomic_exchange_explicit(&abandoned, NULL, memory_order_acquire);
}

void *malloc(size_t size) {
  adopt();
  size_t whole = (size + 31) & ~(size_t)15;
  size_t at = atomic_fetch_add_explicit(&used, whole, memory_order_relaxed);
  if (at + whole > sizeof memory) return NULL;
  *(size_t *)(memory + at) = size;
  return memory + at + 16;
}

void free(void *block) { (void)block; }

void *calloc(size_t count, size_t size) {
  return malloc(count * size); // Fresh memory is zero.
}

void *realloc(void *block, size_t size) {
  char *fresh = malloc(size);
  if (!block || !fresh) return fresh;
  size_t old = *(size_t *)((char *)block - 16);
  return memcpy(fresh, block, old < size ? old : size);
}

static void *leave(void *unused) {
  mine = nothing;
  left[3] = 1;
  atomic_store_explicit(&abandoned, left, memory_order_release);
  take_step();
  wait_for_step(2);
  return unused;
}

static void *take(void *unused) {
  adopt();
  mine[3]++;
  take_step();
  return unused;
}

int main(void) {
  pthread_t first, second;
  mine = nothing;
  if (pthread_create(&first, NULL, leave, NULL)) abort();
  wait_for_step(1);
  if (pthread_create(&second, NULL, take, NULL)) abort();
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  if (left[3] != 2) abort();
}
