// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// also: c++
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char shared[32] = "some text";
char other[64];

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  shared[0] = 'S';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  strcpy(other, shared);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
