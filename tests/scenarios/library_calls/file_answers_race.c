// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 stat (, #0 lstat (, #0 fstat (, #0 fstatat (, #0 statvfs (, #0 fstatvfs (, #0 statfs (, #0 fstatfs (, #0 readlink (, #0 readlinkat (, #0 realpath (, #0 getsockname (, #0 getpeername (, #0 getsockopt (, #0 setsockopt (
// reports: any
// tsan: skip, it does not know all of the functions
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "scenario.h"

// What the system answers about files and sockets.
static int one;
__attribute__((constructor)) static void make_socket(void) {
  int both[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, both)) abort();
  one = both[0];
}
struct stat a0;
struct stat a1;
struct stat a2;
struct stat a3;
struct statvfs a4;
struct statvfs a5;
struct statfs a6;
struct statfs a7;
char a8[4096];
char a9[4096];
char a10[4096];
struct sockaddr_un a11;
struct sockaddr_un a12;
int a13;
int a14;

NOINLINE static void writer(void) {
  CONSUME(a0.st_mode); // here
  CONSUME(a1.st_mode); // here
  CONSUME(a2.st_mode); // here
  CONSUME(a3.st_mode); // here
  CONSUME(a4.f_bsize); // here
  CONSUME(a5.f_bsize); // here
  CONSUME(a6.f_bsize); // here
  CONSUME(a7.f_bsize); // here
  CONSUME(a8[0]); // here
  CONSUME(a9[0]); // here
  CONSUME(a10[0]); // here
  CONSUME(a11.sun_family); // here
  CONSUME(a12.sun_family); // here
  CONSUME(a13); // here
  a14 = 1; // here
}
NOINLINE static void reader(void) {
  if (stat("/", &a0)) abort(); // here
  if (lstat("/", &a1)) abort(); // here
  if (fstat(2, &a2)) abort(); // here
  if (fstatat(AT_FDCWD, "/", &a3, 0)) abort(); // here
  if (statvfs("/", &a4)) abort(); // here
  if (fstatvfs(2, &a5)) abort(); // here
  if (statfs("/", &a6)) abort(); // here
  if (fstatfs(2, &a7)) abort(); // here
  if (readlink("/proc/self/exe", a8, 4096) < 0) abort(); // here
  if (readlinkat(AT_FDCWD, "/proc/self/exe", a9, 4096) < 0) abort(); // here
  if (!realpath("/", a10)) abort(); // here
  if (getsockname(one, (struct sockaddr *)&a11, &(socklen_t){sizeof a11})) abort(); // here
  if (getpeername(one, (struct sockaddr *)&a12, &(socklen_t){sizeof a12})) abort(); // here
  if (getsockopt(one, SOL_SOCKET, SO_TYPE, &a13, &(socklen_t){sizeof a13})) abort(); // here
  if (setsockopt(one, SOL_SOCKET, SO_PASSCRED, &a14, sizeof a14)) abort(); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
