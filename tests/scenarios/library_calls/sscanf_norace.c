// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;
char text[8] = "12 x";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  shared = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  if (sscanf(text, "%d", &shared) != 1) abort();
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
