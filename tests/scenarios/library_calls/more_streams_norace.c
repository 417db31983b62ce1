// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <wchar.h>

#include "scenario.h"

// Streams that nobody locks, and wide ones.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *nowhere(void) { return fopen("/dev/null", "w"); }
char a0[32] = "text";
wchar_t a1[32] = L"text";
char a2[32];
char a3[32] = "text-12";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  a0[1] = 'E';
  a1[1] = L'E';
  CONSUME(a2[0]);
  a3[1] = 'E';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  fputs_unlocked(a0, nowhere());
  fputws(a1, nowhere());
  CONSUME(fgets_unlocked(a2, 32, fopen("/proc/version", "r")));
  CONSUME(strverscmp(a3, "text-9"));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
