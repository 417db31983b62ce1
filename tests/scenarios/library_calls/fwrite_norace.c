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
  if (fwrite(shared, 1, 8, stream) != 8) abort();
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  stream = fopen("/dev/null", "w");
  run_accesses(run_two, writer, reader);
}
