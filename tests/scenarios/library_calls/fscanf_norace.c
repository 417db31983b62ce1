// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  char text[] = "7";
  FILE *file = fmemopen(text, 1, "r");
  if (fscanf(file, "%d", &shared) != 1) abort();
  fclose(file);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(shared);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
