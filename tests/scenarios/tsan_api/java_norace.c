// expect: none
// A monitor guards an object, stays with it when the collector moves it, and
// memory the collector gave back starts anew.
#include "scenario.h"
#include "tsan_interface.h"

#include <stdlib.h>

enum { HEAP = 4096, OBJECT = 64 };

static char *heap;

NOINLINE static void first(void) {
  __tsan_java_mutex_lock((unsigned long)heap);
  __tsan_java_mutex_lock((unsigned long)heap);
  heap[8] = 1;
  if (__tsan_java_mutex_unlock_rec((unsigned long)heap) != 2)
    exit(3);
  heap[2 * OBJECT] = 1;
}
NOINLINE static void second(void) {
  unsigned long at = (unsigned long)heap;
  __tsan_java_move(at, at + 4 * OBJECT, OBJECT);
  at = (unsigned long)heap;
  if (__tsan_java_find(&at, at + HEAP) != OBJECT || at != (unsigned long)heap + 2 * OBJECT)
    exit(4);
  __tsan_java_mutex_lock((unsigned long)heap + 4 * OBJECT);
  heap[4 * OBJECT + 8] = 2;
  __tsan_java_mutex_unlock((unsigned long)heap + 4 * OBJECT);
  __tsan_java_free((unsigned long)heap + 2 * OBJECT, OBJECT);
  __tsan_java_alloc((unsigned long)heap + 2 * OBJECT, OBJECT);
  heap[2 * OBJECT] = 2;
}

int main(void) {
  heap = (char *)malloc(HEAP);
  __tsan_java_init((unsigned long)heap, HEAP);
  __tsan_java_alloc((unsigned long)heap, OBJECT);
  __tsan_java_alloc((unsigned long)heap + 2 * OBJECT, OBJECT);
  run_two(first, second);
  return __tsan_java_fini();
}
