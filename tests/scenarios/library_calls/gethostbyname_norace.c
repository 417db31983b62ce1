// expect: none
// orders: write-read
// opt: O1
// flags: -fno-builtin
#include <netdb.h>

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(gethostbyname("127.0.0.1"));
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(gethostbyname("127.0.0.2"));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
