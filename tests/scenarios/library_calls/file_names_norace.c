// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <libgen.h>
#include <wchar.h>

#include "scenario.h"

// Parts of the names of files.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char *gnu_basename(const char *name) __asm__("basename");
char a0[8] = "a/b";
char a1[8] = "a/b/";
char a2[8] = "a/b";
char a3[8] = "a";
char a4[8] = "a/b";
wchar_t a5[8] = L"text";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  a0[0] = 'A';
  CONSUME(a1[3]);
  CONSUME(a2[1]);
  a3[0] = 'A';
  a4[0] = 'A';
  a5[1] = L'E';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME((basename)(a0));
  CONSUME((basename)(a1));
  CONSUME(dirname(a2));
  CONSUME(dirname(a3));
  CONSUME(gnu_basename(a4));
  CONSUME(wcswidth(a5, 8));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
