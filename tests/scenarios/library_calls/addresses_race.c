// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 inet_pton (, #0 inet_ntop (, #0 inet_aton (, #0 inet_addr (, #0 getpwnam_r (, #0 getpwuid_r (, #0 getgrnam_r (, #0 getgrgid_r (, #0 gethostbyname_r (
// reports: any
// tsan: skip, it does not know all of the functions
#include <arpa/inet.h>
#include <grp.h>
#include <netdb.h>
#include <pwd.h>

#include "scenario.h"

// Addresses and their texts, and entries of the lists of users and hosts.
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
  CONSUME(a0.s_addr); // here
  CONSUME(a1[0]); // here
  CONSUME(a2.s_addr); // here
  a3[2] = '8'; // here
  CONSUME(a4.pw_uid); // here
  CONSUME(a5.pw_uid); // here
  CONSUME(a6.gr_gid); // here
  CONSUME(a7.gr_gid); // here
  CONSUME(a8.h_length); // here
}
NOINLINE static void reader(void) {
  CONSUME(inet_pton(AF_INET, "127.0.0.1", &a0)); // here
  CONSUME(inet_ntop(AF_INET, &(struct in_addr){0}, a1, 32)); // here
  CONSUME(inet_aton("127.0.0.1", &a2)); // here
  CONSUME(inet_addr(a3)); // here
  CONSUME(getpwnam_r("root", &a4, buffer, 4000, &(struct passwd *){0})); // here
  CONSUME(getpwuid_r(0, &a5, buffer, 4000, &(struct passwd *){0})); // here
  CONSUME(getgrnam_r("root", &a6, buffer, 4000, &(struct group *){0})); // here
  CONSUME(getgrgid_r(0, &a7, buffer, 4000, &(struct group *){0})); // here
  CONSUME(gethostbyname_r("127.0.0.1", &a8, buffer, 4000, &(struct hostent *){0}, &(int){0})); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
