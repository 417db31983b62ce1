// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <stdio.h>

#include "scenario.h"

// Sorting with an argument, and lines up to any character.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
__attribute__((disable_sanitizer_instrumentation)) static int compare(const void *a, const void *b, void *with) {
  (void)with;
  return *(const int *)a - *(const int *)b;
}
int a0[4] = {3, 1, 2, 4};
char *a1;
size_t a1_room;
char *a2;
size_t a2_room;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(a0[3]);
  CONSUME(a1);
  CONSUME(a2_room);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  qsort_r(a0, 4, sizeof *a0, compare, NULL);
  CONSUME(getdelim(&a1, &a1_room, ' ', fopen("/proc/version", "r")));
  CONSUME(getdelim(&a2, &a2_room, ' ', fopen("/proc/version", "r")));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
