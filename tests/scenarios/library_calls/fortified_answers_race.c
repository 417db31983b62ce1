// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 __getcwd_chk (, #0 __gethostname_chk (, #0 __readlink_chk (, #0 __readlinkat_chk (, #0 __realpath_chk (
// reports: any
// tsan: skip, it does not know all of the functions
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "scenario.h"

// What the system answers, by functions that know the room.
char *__getcwd_chk(char *to, size_t len, size_t room);
int __gethostname_chk(char *to, size_t len, size_t room);
ssize_t __readlink_chk(const char *path, char *to, size_t len, size_t room);
ssize_t __readlinkat_chk(int folder, const char *path, char *to, size_t len, size_t room);
char *__realpath_chk(const char *path, char *to, size_t room);
char a0[PATH_MAX];
char a1[256];
char a2[256];
char a3[256];
char a4[PATH_MAX];
char a5[8] = "/";

NOINLINE static void writer(void) {
  CONSUME(a0[0]); // here
  CONSUME(a1[0]); // here
  CONSUME(a2[0]); // here
  CONSUME(a3[0]); // here
  CONSUME(a4[0]); // here
  a5[0] = '.'; // here
}
NOINLINE static void reader(void) {
  CONSUME(__getcwd_chk(a0, PATH_MAX, PATH_MAX)); // here
  CONSUME(__gethostname_chk(a1, 256, 256)); // here
  CONSUME(__readlink_chk("/proc/self/exe", a2, 256, 256)); // here
  CONSUME(__readlinkat_chk(-1, "/proc/self/exe", a3, 256, 256)); // here
  CONSUME(__realpath_chk("/", a4, PATH_MAX)); // here
  CONSUME(__readlink_chk(a5, (char[8]){0}, 8, 8)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
