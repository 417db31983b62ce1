// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "scenario.h"

// What the system answers about files and sockets.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
  pthread_mutex_lock(&mutex);
  CONSUME(a0.st_mode);
  CONSUME(a1.st_mode);
  CONSUME(a2.st_mode);
  CONSUME(a3.st_mode);
  CONSUME(a4.f_bsize);
  CONSUME(a5.f_bsize);
  CONSUME(a6.f_bsize);
  CONSUME(a7.f_bsize);
  CONSUME(a8[0]);
  CONSUME(a9[0]);
  CONSUME(a10[0]);
  CONSUME(a11.sun_family);
  CONSUME(a12.sun_family);
  CONSUME(a13);
  a14 = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  if (stat("/", &a0)) abort();
  if (lstat("/", &a1)) abort();
  if (fstat(2, &a2)) abort();
  if (fstatat(AT_FDCWD, "/", &a3, 0)) abort();
  if (statvfs("/", &a4)) abort();
  if (fstatvfs(2, &a5)) abort();
  if (statfs("/", &a6)) abort();
  if (fstatfs(2, &a7)) abort();
  if (readlink("/proc/self/exe", a8, 4096) < 0) abort();
  if (readlinkat(AT_FDCWD, "/proc/self/exe", a9, 4096) < 0) abort();
  if (!realpath("/", a10)) abort();
  if (getsockname(one, (struct sockaddr *)&a11, &(socklen_t){sizeof a11})) abort();
  if (getpeername(one, (struct sockaddr *)&a12, &(socklen_t){sizeof a12})) abort();
  if (getsockopt(one, SOL_SOCKET, SO_TYPE, &a13, &(socklen_t){sizeof a13})) abort();
  if (setsockopt(one, SOL_SOCKET, SO_PASSCRED, &a14, sizeof a14)) abort();
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
