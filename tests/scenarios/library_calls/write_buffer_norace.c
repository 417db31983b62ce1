// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char shared[8];
int null;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  shared[3] = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  if (write(null, shared, 8) != 8) abort();
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  null = open("/dev/null", O_WRONLY);
  run_accesses(run_two, writer, reader);
}
