// expect: none
// orders: write-read
// opt: O1
// flags: -fno-builtin
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char a[8] = "x y";
char b[8] = "x y";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(strtok(a, " "));
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(strtok(b, " "));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
