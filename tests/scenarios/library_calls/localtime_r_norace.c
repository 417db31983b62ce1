// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include <time.h>

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct tm shared;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  shared.tm_year = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  time_t now = 2;
  localtime_r(&now, &shared);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
