// expect: none
#include <stdatomic.h>
#include <sys/mman.h>

#include "scenario.h"

_Atomic(int *) shared;

NOINLINE static void make(void) {
  void *pages = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  atomic_store_explicit(&shared, (int *)pages, memory_order_release);
}
NOINLINE static void use(void) {
  *atomic_load_explicit(&shared, memory_order_acquire) = 42;
}

int main(void) { run_two(make, use); }
