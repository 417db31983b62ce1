// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "scenario.h"

// What the system answers, by functions that know the room.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
  pthread_mutex_lock(&mutex);
  CONSUME(a0[0]);
  CONSUME(a1[0]);
  CONSUME(a2[0]);
  CONSUME(a3[0]);
  CONSUME(a4[0]);
  a5[0] = '.';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(__getcwd_chk(a0, PATH_MAX, PATH_MAX));
  CONSUME(__gethostname_chk(a1, 256, 256));
  CONSUME(__readlink_chk("/proc/self/exe", a2, 256, 256));
  CONSUME(__readlinkat_chk(-1, "/proc/self/exe", a3, 256, 256));
  CONSUME(__realpath_chk("/", a4, PATH_MAX));
  CONSUME(__readlink_chk(a5, (char[8]){0}, 8, 8));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
