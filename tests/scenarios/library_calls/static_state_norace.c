// expect: none
// orders: write-read
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE -Wno-deprecated-declarations
#include <netdb.h>
#include <search.h>
#include <unistd.h>

#include "scenario.h"

// What libc keeps for all threads.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *words[] = {(char *)"program", NULL};

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(drand48());
  CONSUME(ecvt(1, 3, &(int){0}, &(int){0}));
  CONSUME(getprotobynumber(6));
  CONSUME(gethostent());
  CONSUME(getlogin());
  CONSUME(tmpnam(NULL));
  hcreate(4);
  CONSUME(getopt(1, words, "x"));
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(lrand48());
  CONSUME(fcvt(2, 3, &(int){0}, &(int){0}));
  CONSUME(getservent());
  CONSUME(gethostent());
  CONSUME(getlogin());
  CONSUME(tmpnam(NULL));
  hdestroy();
  CONSUME(getopt(1, words, "x"));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
