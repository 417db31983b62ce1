// expect: data race
#include "scenario.h"
#include "tsan_interface.h"

#include <stdlib.h>

enum { HEAP = 4096, OBJECT = 64 };

static char *heap;

NOINLINE static void first(void) {
  __tsan_java_mutex_lock((unsigned long)heap);
  heap[8] = 1; // here
  __tsan_java_mutex_unlock((unsigned long)heap);
}
NOINLINE static void second(void) {
  heap[8] = 2; // here
}

int main(void) {
  heap = (char *)malloc(HEAP);
  __tsan_java_init((unsigned long)heap, HEAP);
  __tsan_java_alloc((unsigned long)heap, OBJECT);
  run_two(first, second);
  return __tsan_java_fini();
}
