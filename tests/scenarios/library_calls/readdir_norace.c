// expect: none
// orders: write-read
// opt: O1
// flags: -fno-builtin
#include <dirent.h>

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
DIR *folder;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(readdir(folder));
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(readdir(folder));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  folder = opendir("/proc/self");
  run_accesses(run_two, writer, reader);
}
