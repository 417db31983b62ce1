// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared[4] = {4, 3, 2, 1};
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  shared[3] = 7;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  qsort(shared, 4, sizeof *shared, compare);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
