// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char shared[32];
FILE *stream;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  shared[1] = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  if (!fgets(shared, sizeof shared, stream)) abort();
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  stream = fopen("/proc/self/comm", "r");
  run_accesses(run_two, writer, reader);
}
