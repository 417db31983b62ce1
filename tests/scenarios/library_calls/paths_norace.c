// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenario.h"

// Names of files.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char p0[32] = "/nowhere/at/all";
char p1[32] = "/nowhere/at/all";
char p2[32] = "/nowhere/at/all";
char p3[32] = "/nowhere/at/all";
char p4[32] = "/nowhere/at/all";
char p5[32] = "/nowhere/at/all";
char p6[32] = "/nowhere/at/all";
char p7[32] = "/nowhere/at/all";
char p8[32] = "/nowhere/at/all";
char p9[32] = "/nowhere/at/all";
char p10[32] = "/nowhere/at/all";
char p11[32] = "/nowhere/at/all";
char p12[32] = "/nowhere/at/all";
char p13[32] = "/nowhere/at/all";
char p14[32] = "/nowhere/at/all";
char p15[32] = "/nowhere/at/all";
char p16[32] = "/nowhere/at/all";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  p0[1] = 'N';
  p1[1] = 'N';
  p2[1] = 'N';
  p3[1] = 'N';
  p4[1] = 'N';
  p5[1] = 'N';
  p6[1] = 'N';
  p7[1] = 'N';
  p8[1] = 'N';
  p9[1] = 'N';
  p10[1] = 'N';
  p11[1] = 'N';
  p12[1] = 'N';
  p13[1] = 'N';
  p14[1] = 'N';
  p15[1] = 'N';
  p16[1] = 'N';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(open(p0, O_RDONLY));
  CONSUME(openat(AT_FDCWD, p1, O_RDONLY));
  CONSUME(creat(p2, 0600));
  CONSUME(fopen(p3, "r"));
  CONSUME(access(p4, R_OK));
  CONSUME(chdir(p5));
  CONSUME(chmod(p6, 0600));
  CONSUME(chown(p7, 0, 0));
  CONSUME(truncate(p8, 0));
  CONSUME(mkdir(p9, 0700));
  CONSUME(rmdir(p10));
  CONSUME(unlink(p11));
  CONSUME(remove(p12));
  CONSUME(rename(p13, "/nowhere/else"));
  CONSUME(link(p14, "/nowhere/else"));
  CONSUME(symlink("/nowhere/else", p15));
  CONSUME(opendir(p16));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
