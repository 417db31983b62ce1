// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 lchown (, #0 faccessat (, #0 fchmodat (, #0 fchownat (, #0 mkdirat (, #0 unlinkat (, #0 renameat (, #0 linkat (, #0 symlinkat (, #0 inotify_add_watch (, #0 utimensat (, #0 scandir (, #0 mkdtemp (, #0 mkstemp (, #0 mkstemps (, #0 futimens (, #0 utime (, #0 utimes (
// reports: any
// tsan: skip, it does not know all of the functions
#include <dirent.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "scenario.h"

// Files by their names, templates of names, times.
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
  a0[0] = 'N'; // here
  a1[0] = 'N'; // here
  a2[0] = 'N'; // here
  a3[0] = 'N'; // here
  a4[0] = 'N'; // here
  a5[0] = 'N'; // here
  a6[0] = 'N'; // here
  a7[0] = 'N'; // here
  a8[0] = 'N'; // here
  a9[0] = 'N'; // here
  a10[0] = 'N'; // here
  a11[0] = 'N'; // here
  CONSUME(a12[14]); // here
  CONSUME(a13[14]); // here
  CONSUME(a14[14]); // here
  a15[1].tv_sec = 1; // here
  a16.modtime = 1; // here
  a17[1].tv_sec = 1; // here
  CONSUME(a18); // here
}
NOINLINE static void reader(void) {
  CONSUME(lchown(a0, 0, 0)); // here
  CONSUME(faccessat(AT_FDCWD, a1, 0, 0)); // here
  CONSUME(fchmodat(AT_FDCWD, a2, 0, 0)); // here
  CONSUME(fchownat(AT_FDCWD, a3, 0, 0, 0)); // here
  CONSUME(mkdirat(-2, a4, 0)); // here
  CONSUME(unlinkat(AT_FDCWD, a5, 0)); // here
  CONSUME(renameat(AT_FDCWD, "none", AT_FDCWD, a6)); // here
  CONSUME(linkat(AT_FDCWD, a7, AT_FDCWD, "none", 0)); // here
  CONSUME(symlinkat("none", -2, a8)); // here
  CONSUME(inotify_add_watch(-1, a9, 1)); // here
  CONSUME(utimensat(AT_FDCWD, a10, NULL, 0)); // here
  CONSUME(scandir(a11, &(struct dirent **){NULL}, NULL, NULL)); // here
  rmdir(mkdtemp(a12)); // here
  CONSUME(mkstemp(a13) + unlink(a13)); // here
  CONSUME(mkstemps(a14, 2) + unlink(a14)); // here
  CONSUME(futimens(-1, a15)); // here
  CONSUME(utime("nofile", &a16)); // here
  CONSUME(utimes("nofile", a17)); // here
  CONSUME(scandir("/proc/self/task", &a18, NULL, NULL)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
