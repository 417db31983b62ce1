// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 open (, #0 openat (, #0 creat (, #0 fopen (, #0 access (, #0 chdir (, #0 chmod (, #0 chown (, #0 truncate (, #0 mkdir (, #0 rmdir (, #0 unlink (, #0 remove (, #0 rename (, #0 link (, #0 symlink (, #0 opendir (
// reports: any
// tsan: skip, it does not know all of the functions
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenario.h"

// Names of files.
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
  p0[1] = 'N'; // here
  p1[1] = 'N'; // here
  p2[1] = 'N'; // here
  p3[1] = 'N'; // here
  p4[1] = 'N'; // here
  p5[1] = 'N'; // here
  p6[1] = 'N'; // here
  p7[1] = 'N'; // here
  p8[1] = 'N'; // here
  p9[1] = 'N'; // here
  p10[1] = 'N'; // here
  p11[1] = 'N'; // here
  p12[1] = 'N'; // here
  p13[1] = 'N'; // here
  p14[1] = 'N'; // here
  p15[1] = 'N'; // here
  p16[1] = 'N'; // here
}
NOINLINE static void reader(void) {
  CONSUME(open(p0, O_RDONLY)); // here
  CONSUME(openat(AT_FDCWD, p1, O_RDONLY)); // here
  CONSUME(creat(p2, 0600)); // here
  CONSUME(fopen(p3, "r")); // here
  CONSUME(access(p4, R_OK)); // here
  CONSUME(chdir(p5)); // here
  CONSUME(chmod(p6, 0600)); // here
  CONSUME(chown(p7, 0, 0)); // here
  CONSUME(truncate(p8, 0)); // here
  CONSUME(mkdir(p9, 0700)); // here
  CONSUME(rmdir(p10)); // here
  CONSUME(unlink(p11)); // here
  CONSUME(remove(p12)); // here
  CONSUME(rename(p13, "/nowhere/else")); // here
  CONSUME(link(p14, "/nowhere/else")); // here
  CONSUME(symlink("/nowhere/else", p15)); // here
  CONSUME(opendir(p16)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
