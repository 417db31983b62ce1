// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <wchar.h>

#include "scenario.h"

// Memory that streams use.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char a0[64];
char a1[BUFSIZ];
char a2[64];
char *a3;
size_t a3_len;
FILE *a3_stream;
char *a4;
size_t a4_len;
FILE *a4_stream;
wchar_t *a5;
size_t a5_len;
FILE *a5_stream;
wchar_t a6[64];

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(a0[63]);
  CONSUME(a1[BUFSIZ - 1]);
  CONSUME(a2[63]);
  CONSUME(a3_len);
  CONSUME(a4);
  CONSUME(a5_len);
  CONSUME(a6[0]);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  setvbuf(fopen("/dev/null", "w"), a0, _IOFBF, 64);
  setbuf(fopen("/dev/null", "w"), a1);
  setbuffer(fopen("/dev/null", "w"), a2, 64);
  fflush(a3_stream);
  fclose(a4_stream);
  fclose(a5_stream);
  CONSUME(fgetws(a6, 64, fopen("/proc/version", "r")));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  a3_stream = open_memstream(&a3, &a3_len);
  a4_stream = open_memstream(&a4, &a4_len);
  a5_stream = open_wmemstream(&a5, &a5_len);
  fputs("text", a3_stream);
  run_accesses(run_two, writer, reader);
}
