// expect: data race
#include <stdatomic.h>
#include <sys/mman.h>

#include "scenario.h"

_Atomic(int *) shared;

NOINLINE static void make(void) {
  void *pages = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // here
  atomic_store_explicit(&shared, (int *)pages, memory_order_relaxed);
}
NOINLINE static void use(void) {
  *atomic_load_explicit(&shared, memory_order_relaxed) = 42; // here
}

int main(void) { run_two(make, use); }
