// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "scenario.h"

// Files by their names, templates of names, times.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char a0[8] = "nofile";
char a1[8] = "nofile";
char a2[8] = "nofile";
char a3[8] = "nofile";
char a4[8] = "nofile";
char a5[8] = "nofile";
char a6[8] = "nofile";
char a7[8] = "nofile";
char a8[8] = "nofile";
char a9[8] = "nofile";
char a10[8] = "nofile";
char a11[8] = "nofile";
char a12[32] = "/tmp/racert-XXXXXX";
char a13[32] = "/tmp/racert-XXXXXX";
char a14[32] = "/tmp/racert-XXXXXX.c";
struct timespec a15[2];
struct utimbuf a16;
struct timeval a17[2];
struct dirent **a18;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  a0[0] = 'N';
  a1[0] = 'N';
  a2[0] = 'N';
  a3[0] = 'N';
  a4[0] = 'N';
  a5[0] = 'N';
  a6[0] = 'N';
  a7[0] = 'N';
  a8[0] = 'N';
  a9[0] = 'N';
  a10[0] = 'N';
  a11[0] = 'N';
  CONSUME(a12[14]);
  CONSUME(a13[14]);
  CONSUME(a14[14]);
  a15[1].tv_sec = 1;
  a16.modtime = 1;
  a17[1].tv_sec = 1;
  CONSUME(a18);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(lchown(a0, 0, 0));
  CONSUME(faccessat(AT_FDCWD, a1, 0, 0));
  CONSUME(fchmodat(AT_FDCWD, a2, 0, 0));
  CONSUME(fchownat(AT_FDCWD, a3, 0, 0, 0));
  CONSUME(mkdirat(-2, a4, 0));
  CONSUME(unlinkat(AT_FDCWD, a5, 0));
  CONSUME(renameat(AT_FDCWD, "none", AT_FDCWD, a6));
  CONSUME(linkat(AT_FDCWD, a7, AT_FDCWD, "none", 0));
  CONSUME(symlinkat("none", -2, a8));
  CONSUME(inotify_add_watch(-1, a9, 1));
  CONSUME(utimensat(AT_FDCWD, a10, NULL, 0));
  CONSUME(scandir(a11, &(struct dirent **){NULL}, NULL, NULL));
  rmdir(mkdtemp(a12));
  CONSUME(mkstemp(a13) + unlink(a13));
  CONSUME(mkstemps(a14, 2) + unlink(a14));
  CONSUME(futimens(-1, a15));
  CONSUME(utime("nofile", &a16));
  CONSUME(utimes("nofile", a17));
  CONSUME(scandir("/proc/self/task", &a18, NULL, NULL));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
