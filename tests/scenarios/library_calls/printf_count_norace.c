// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count;
char other[64];

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  count = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  sprintf(other, "four%n", &count);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
