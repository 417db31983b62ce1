// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <arpa/inet.h>
#include <grp.h>
#include <netdb.h>
#include <pwd.h>

#include "scenario.h"

// Addresses and their texts, and entries of the lists of users and hosts.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread char buffer[4000];
struct in_addr a0;
char a1[32];
struct in_addr a2;
char a3[32] = "127.0.0.1";
struct passwd a4;
struct passwd a5;
struct group a6;
struct group a7;
struct hostent a8;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(a0.s_addr);
  CONSUME(a1[0]);
  CONSUME(a2.s_addr);
  a3[2] = '8';
  CONSUME(a4.pw_uid);
  CONSUME(a5.pw_uid);
  CONSUME(a6.gr_gid);
  CONSUME(a7.gr_gid);
  CONSUME(a8.h_length);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(inet_pton(AF_INET, "127.0.0.1", &a0));
  CONSUME(inet_ntop(AF_INET, &(struct in_addr){0}, a1, 32));
  CONSUME(inet_aton("127.0.0.1", &a2));
  CONSUME(inet_addr(a3));
  CONSUME(getpwnam_r("root", &a4, buffer, 4000, &(struct passwd *){0}));
  CONSUME(getpwuid_r(0, &a5, buffer, 4000, &(struct passwd *){0}));
  CONSUME(getgrnam_r("root", &a6, buffer, 4000, &(struct group *){0}));
  CONSUME(getgrgid_r(0, &a7, buffer, 4000, &(struct group *){0}));
  CONSUME(gethostbyname_r("127.0.0.1", &a8, buffer, 4000, &(struct hostent *){0}, &(int){0}));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
