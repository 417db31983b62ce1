// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 if_nametoindex (, #0 if_indextoname (, #0 getifaddrs (, #0 pthread_setname_np (
// reports: any
// tsan: skip, it does not know all of the functions
#include <ifaddrs.h>
#include <net/if.h>

#include "scenario.h"

// Names of interfaces and of threads.
char a0[8] = "lo";
char a1[IF_NAMESIZE];
struct ifaddrs *a2;
char a3[16] = "name";

NOINLINE static void writer(void) {
  a0[0] = 'L'; // here
  CONSUME(a1[0]); // here
  CONSUME(a2); // here
  a3[0] = 'N'; // here
}
NOINLINE static void reader(void) {
  CONSUME(if_nametoindex(a0)); // here
  CONSUME(if_indextoname(1, a1)); // here
  getifaddrs(&a2); // here
  pthread_setname_np(pthread_self(), a3); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
