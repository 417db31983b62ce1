// expect: none
// orders: write-read
// opt: O1
// flags: -fno-builtin
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char *line;
size_t room;
FILE *stream;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  room = 0;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  if (getline(&line, &room, stream) < 1) abort();
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  stream = fopen("/proc/self/comm", "r");
  run_accesses(run_two, writer, reader);
}
