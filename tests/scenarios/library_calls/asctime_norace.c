// expect: none
// orders: write-read
// opt: O1
// flags: -fno-builtin
#include <time.h>

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct tm parts;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(asctime(&parts));
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  time_t now = 1;
  CONSUME(ctime(&now));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
