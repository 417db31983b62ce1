// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <ifaddrs.h>
#include <net/if.h>

#include "scenario.h"

// Names of interfaces and of threads.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char a0[8] = "lo";
char a1[IF_NAMESIZE];
struct ifaddrs *a2;
char a3[16] = "name";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  a0[0] = 'L';
  CONSUME(a1[0]);
  CONSUME(a2);
  a3[0] = 'N';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(if_nametoindex(a0));
  CONSUME(if_indextoname(1, a1));
  getifaddrs(&a2);
  pthread_setname_np(pthread_self(), a3);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
