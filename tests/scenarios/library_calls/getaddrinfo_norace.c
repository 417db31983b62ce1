// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include <netdb.h>
#include <sys/socket.h>

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char shared[32] = "127.0.0.1";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  shared[0] = '1';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  struct addrinfo *found = NULL, hints = {0};
  hints.ai_flags = AI_NUMERICHOST;
  if (getaddrinfo(shared, NULL, &hints, &found) == 0) freeaddrinfo(found);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
